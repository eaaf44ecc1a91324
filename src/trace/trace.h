// SPDX-License-Identifier: Apache-2.0
// A trace: the recorded allocations and frees of a program, in order. A reader builds it, and it is
// constant afterwards, so any thread may read it. The caller of tn_trace_read() owns it.
#pragma once

#include <tarn/base.h>

// The largest sum in a trace, of each of these kinds: the bytes of all blocks, those of all segments
// that were taken, and those of all that were returned with what devices held at the start. JSON has
// numbers of 63 bits. A builder refuses more, so that sums over events and devices never overflow.
#define TN_TRACE_BYTES_MAX ((uint64_t)INT64_MAX)

// For lists X(NAME, "text"): the texts in their order, as the elements of an array.
#define TN_TEXT_OF(name, text) text,

enum tn_event_kind {
    TN_EVENT_ALLOC,         // `item` is the block that is allocated
    TN_EVENT_FREE,          // `item` is the block that is freed, and can be reused from here on
    TN_EVENT_FREE_REQUEST,  // `item` is a block that the program has given up; streams may use it
    TN_EVENT_MARK,          // `item` is the text of a step or phase that begins here
    TN_EVENT_MARK_END,      // `item` is the text of a phase that ends here
    TN_EVENT_FAILURE,       // `item` is the failure: an allocation that the allocator refused
    TN_EVENT_SEGMENT,       // `item` is the segment that the allocator gets from the device
    TN_EVENT_SEGMENT_RETURN // `item` is the segment, or the part of one, that it gives back
};

struct tn_event {
    uint64_t time_us; // since an unspecified start; always 0 if the recording has no time stamps
    uint64_t where;   // position in the file: the line of a text, or the index in a device's list
    uint32_t item;
    uint32_t kind; // enum tn_event_kind
};

// The meaning of a block for a training program, where the recording tells it. X(NAME, "name in
// files"). UNKNOWN is recorded as unknown.
#define TN_CATEGORY_LIST(X)                                                                        \
    X(NONE, "")                                                                                    \
    X(PARAMETER, "parameter")                                                                      \
    X(OPTIMIZER_STATE, "optimizer_state")                                                          \
    X(INPUT, "input")                                                                              \
    X(TEMPORARY, "temporary")                                                                      \
    X(ACTIVATION, "activation")                                                                    \
    X(GRADIENT, "gradient")                                                                        \
    X(AUTOGRAD_DETAIL, "autograd_detail")                                                          \
    X(UNKNOWN, "unknown")

#define TN_CATEGORY_ENUM(name, text) TN_CATEGORY_##name,
enum tn_trace_category { TN_CATEGORY_LIST(TN_CATEGORY_ENUM) TN_CATEGORY_COUNT };

struct tn_block {
    uint64_t id;       // as recorded: a unique id (text), or an address that may recur (snapshot)
    uint64_t size;     // requested bytes, never 0
    uint64_t occupied; // bytes that the recorded allocator used for it; 0 if not recorded
    uint32_t stream;   // index into `streams`
    uint32_t stack;    // of the allocation: index into `calls`, or 0
    uint32_t tag;      // text that the program attached to the block, or 0
    uint32_t category; // enum tn_trace_category
};

// A range of memory that the recorded allocator has from the device.
struct tn_trace_segment {
    uint64_t address;
    uint64_t bytes;
    uint32_t stream; // index into `streams`
    uint32_t stack;  // of the call that got it, or 0
    bool mapped;     // a part of a larger reservation of addresses; joins its neighbours
    bool is_private; // kept for CUDA graphs or a pool of the program
};

// Why Tarn refused an allocation. Binary traces have these numbers in this order. All zero: not
// recorded.
struct tn_trace_refusal {
    uint64_t failed; // the negated tarn_status
    uint64_t cause;  // tarn_pool_cause, or 0 without a pool, as are the others
    uint64_t held;   // bytes of the pool,
    uint64_t limit;  // the most that it may hold, or 0
    uint64_t free;   // those that were free,
    uint64_t largest;
    uint64_t waiting; // and those that waited for other streams
};

// An allocation that failed.
struct tn_trace_failure {
    uint64_t size;        // requested bytes
    uint64_t device_free; // as recorded, or UINT64_MAX
    uint32_t stream;      // index into `streams`
    uint32_t stack;
    struct tn_trace_refusal why;
};

struct tn_stream {
    uint64_t native; // as recorded; 0 is the default stream
    uint32_t device; // index into `devices`
};

// A call, and the stack that ends with it: `caller` leads outwards. Equal stacks are one element.
// Element 0 is the empty stack.
struct tn_trace_call {
    uint32_t caller;   // index into `calls`, below that of this element
    uint32_t function; // text, as is `file`
    uint32_t file;
    uint32_t line; // 0 if not recorded
};

// A setting of the recorded allocator.
struct tn_trace_setting {
    uint32_t name; // texts
    uint32_t value;
};

// The device calls by which the recorded allocator got its memory, those for the memory that it
// held at the start included. Mapped memory counts as handles of the size that PyTorch maps. Binary
// traces have these numbers in this order.
struct tn_trace_calls {
    uint64_t allocs; // device allocations
    uint64_t alloc_bytes;
    uint64_t frees;
    uint64_t creates; // handles created and mapped
    uint64_t create_bytes;
    uint64_t releases;          // handles unmapped and released
    uint64_t segment_events;    // the recorded events of segments
    uint64_t starting_segments; // device allocations and handles held at the start
};

// The state of a device at one moment, where the recording has sums in place of blocks.
struct tn_trace_sample {
    uint64_t time_us;
    uint64_t live;
    uint64_t reserved;                       // 0 if not recorded
    uint64_t by_category[TN_CATEGORY_COUNT]; // 0 if not recorded
};

enum tn_trace_device_kind {
    TN_DEVICE_ACCELERATOR,
    TN_DEVICE_HOST // memory of the host, pinned for a device
};

// One device of the recording. Its events, starting blocks, starting segments and samples are
// contiguous.
struct tn_trace_device {
    uint32_t number; // as recorded
    enum tn_trace_device_kind kind;
    uint64_t memory_bytes; // of the card, or 0 if not recorded
    size_t first_event;
    size_t event_count;
    size_t first_starting; // blocks that were live before the first event
    size_t starting_count;
    size_t first_starting_segment; // segments that the allocator had before the first event
    size_t starting_segment_count;
    size_t first_sample;
    size_t sample_count;
    bool says_reserved; // the recording includes the bytes that its allocator reserved:
    uint64_t reserved_at_start;
    uint64_t reserved_peak;
    uint64_t reserved_at_end;
    struct tn_trace_calls calls;
};

// X(NAME, "name in JSON", "name for people")
#define TN_TRACE_FORMAT_LIST(X)                                                                    \
    X(TEXT, "text", "a text trace of Tarn")                                                        \
    X(BINARY, "binary", "a binary trace of Tarn")                                                  \
    X(SNAPSHOT, "pytorch-snapshot", "a memory snapshot of PyTorch")                                \
    X(TIMELINE, "pytorch-timeline", "a memory timeline of PyTorch")                                \
    X(CHROME, "chrome-trace", "a Chrome trace with memory events (PyTorch profiler)")              \
    X(NPU_PROFILER, "npu-profiler", "a memory table of the torch_npu profiler")                    \
    X(MEMSCOPE, "msmemscope", "a dump of msMemScope")                                              \
    X(RMM, "rmm", "a log of RMM")                                                                  \
    X(UMPIRE, "umpire", "a replay log of Umpire")                                                  \
    X(PPROF, "pprof", "a pprof profile")                                                           \
    X(XPLANE, "xplane", "an XPlane profile of TensorFlow or JAX")                                  \
    X(BFC, "bfc-dump", "a memory dump of TensorFlow's BFC allocator")                              \
    X(NSYS, "nsight-systems", "an export of Nsight Systems")                                       \
    X(ROCPROF, "rocprof", "a memory trace of rocprofv3")                                           \
    X(TABLE, "tarn-csv", "a table of Tarn in CSV")                                                 \
    X(CSV, "csv", "a table whose columns were named on the command line")

#define TN_TRACE_FORMAT_ENUM(name, json, text) TN_TRACE_##name,
enum tn_trace_format { TN_TRACE_FORMAT_LIST(TN_TRACE_FORMAT_ENUM) TN_TRACE_FORMATS };

// Facts that a recording does not have, so that nobody computes with them.
enum tn_trace_lacks {
    TN_TRACE_NO_TIMES = 1 << 0,     // only the order is known
    TN_TRACE_NO_STREAMS = 1 << 1,   // all blocks are on stream 0
    TN_TRACE_NO_STACKS = 1 << 2,    // the format has none
    TN_TRACE_NO_ADDRESSES = 1 << 3, // ids are no addresses
    TN_TRACE_NO_EVENTS = 1 << 4,    // a state: blocks that were live at one moment
    TN_TRACE_NO_BLOCKS = 1 << 5,    // samples only: nothing to replay
    TN_TRACE_PAIRED = 1 << 6,       // frees were matched to allocations by size
    TN_TRACE_NO_POOL = 1 << 7       // allocations are those of the device, as a pool made them
};

#define TN_TRACE_NOTES 4

struct tn_trace {
    enum tn_trace_format format;     // of the file
    enum tn_trace_format origin;     // in which it was recorded, before conversions; else `format`
    unsigned lacks;                  // enum tn_trace_lacks
    bool by_npu;                     // a snapshot that shows that torch_npu wrote it
    struct tn_trace_device *devices; // those of the host are last
    size_t device_count;
    struct tn_stream *streams;
    size_t stream_count;
    struct tn_block *blocks;
    size_t block_count;
    size_t made_count; // blocks at the end of the array that a tool added to what was recorded
    struct tn_trace_segment *segments;
    size_t segment_count;
    struct tn_trace_failure *failures;
    size_t failure_count;
    struct tn_event *events;
    size_t event_count;
    struct tn_trace_sample *samples;
    size_t sample_count;
    struct tn_trace_call *calls;
    size_t call_count;
    struct tn_trace_setting *settings;
    size_t setting_count;
    char **texts; // each once; text 0 is empty
    size_t text_count;
    // The number of contradictions in the recording, and the text of the first few.
    size_t note_count;
    char *notes[TN_TRACE_NOTES];
};

// The limits of a reader, and the user's description of a table. Zero selects the default.
struct tn_trace_limits {
    uint64_t events; // default 16 Mi
    uint64_t memory; // bytes of the values or of the file that a reader holds, default 1 GiB
    // The columns of a table in CSV, as "ROLE=NAME,...". The roles are time, action, address, size,
    // stream, device and stack; address and size are needed. NULL: the content determines the
    // format.
    const char *columns;
};

// Reads a trace of any known format; the path "-" is standard input. The content determines the
// format, the name does not.
//  TARN_SYSTEM          the file cannot be opened or read
//  TARN_CORRUPT         the content is damaged or of no known format; the text says what it looks
//                       like
//  TARN_UNSUPPORTED     a pickle with more than plain data, an archive
//  TARN_BAD_CONFIG      the description of the columns is malformed
//  TARN_NO_HOST_MEMORY  a limit was reached
// The last error names the file and the position. Release with tn_trace_release().
tarn_status tn_trace_read(const char *path, const struct tn_trace_limits *limits,
                          struct tn_trace *trace);

// Like tn_trace_read(), but reads from memory. Error texts use `name` for the file.
tarn_status tn_trace_read_memory(const char *name, const void *bytes, size_t size,
                                 const struct tn_trace_limits *limits, struct tn_trace *trace);

// Returns the names of a format, for JSON and for people.
const char *tn_trace_format_name(enum tn_trace_format format);
const char *tn_trace_format_text(enum tn_trace_format format);

// Finds a format by its name for JSON. Returns false, and changes nothing, if there is none.
bool tn_trace_format_parse(const char *name, size_t length, enum tn_trace_format *format);

// Returns the name of a category in files. NONE has an empty one.
const char *tn_category_name(enum tn_trace_category category);

// Returns the number by which people and commands know an event of the device. They count from 1 in
// order, marks and the ends of phases included, and start again for each device. A moment is the
// number of the event before it, so that 0 is the start. Events of made blocks have the number of
// the next event.
uint64_t tn_trace_event_number(const struct tn_trace *trace, const struct tn_trace_device *device,
                               size_t index);

// Returns the sum of the sizes of a device's live blocks before its first event.
// tn_trace_live_after() returns the sum after an event from the sum before it.
uint64_t tn_trace_live_at_start(const struct tn_trace *trace, const struct tn_trace_device *device);
uint64_t tn_trace_live_after(const struct tn_trace *trace, const struct tn_event *event,
                             uint64_t live);

// The highest of these sums, and the first moment at which it is reached.
struct tn_trace_peak {
    uint64_t live;
    size_t moment; // number of events of the device
};

struct tn_trace_peak tn_trace_peak(const struct tn_trace *trace,
                                   const struct tn_trace_device *device);

// Returns the events of a device, or NULL if it has none.
static inline const struct tn_event *tn_trace_events(const struct tn_trace *trace,
                                                     const struct tn_trace_device *device) {
    return device->event_count > 0 ? trace->events + device->first_event : NULL;
}

// Returns the number of events of the kind that a device has.
size_t tn_trace_count(const struct tn_trace *trace, const struct tn_trace_device *device,
                      enum tn_event_kind kind);

// Returns the number of devices that are no memory of the host.
size_t tn_trace_accelerators(const struct tn_trace *trace);

// Returns the one of them that has the number as recorded, or NULL.
struct tn_trace_device *tn_trace_find_device(const struct tn_trace *trace, uint64_t number);

// Returns the value of a setting of the recorded allocator, or NULL.
const char *tn_trace_setting(const struct tn_trace *trace, const char *name);

// Returns true if a text of the trace contains the part. Functions and files are among the texts.
bool tn_trace_mentions(const struct tn_trace *trace, const char *part);

// Frees the memory of a trace and leaves it empty. The trace may be empty already.
void tn_trace_release(struct tn_trace *trace);
