/* SPDX-License-Identifier: Apache-2.0 */
/*
 * kernel/host_kernel.h - kernels compiled for the host, in C++: the position of a thread, and
 * launches. See the vendor's runtime header.
 */
#ifndef KERNEL_HOST_KERNEL_H
#define KERNEL_HOST_KERNEL_H

#include <kernel/launch.h>

#if defined(__cplusplus) && defined(KERNEL_API_)

#include <cstddef>
#include <cstring>
#include <new>
#include <type_traits>
#include <utility>

/* One variable for the whole program. C++ has inline variables from C++17 on. */
#if __cplusplus >= 201703L
#define KERNEL_ONE_ inline
#else
#define KERNEL_ONE_ __attribute__((weak))
#endif

/* Set for each thread of a kernel, on the CPU thread that runs it. Kernels must not write them. */
KERNEL_ONE_ thread_local uint3 threadIdx{};
KERNEL_ONE_ thread_local uint3 blockIdx{};
KERNEL_ONE_ thread_local dim3 blockDim{};
KERNEL_ONE_ thread_local dim3 gridDim{};

/* The lanes of a warp, by the vendor's header. */
constexpr int warpSize = KERNEL_WARP_SIZE_;

namespace kernel_impl {

static_assert(warpSize == 32 || warpSize == 64, "a warp has 32 or 64 lanes");
#if defined(KERNEL_WARP_SIZE_CHANGES_)
/* The device's property follows. */
KERNEL_ONE_ const KERNEL_API_(Error_t) warp_size_is_known = KERNEL_API_(ExtSetWarpSize)(warpSize);
#endif

/* The block that this CPU thread runs or ran last, or NULL, and its dynamic shared memory. */
KERNEL_ONE_ thread_local const KERNEL_API_(ExtHostBlock) *running = nullptr;
KERNEL_ONE_ thread_local void *dynamic_shared = nullptr;

#undef KERNEL_ONE_

/* Returns true in a kernel. */
constexpr bool in_kernel() { return !__builtin_is_constant_evaluated() && running != nullptr; }

/* ThreadSanitizer watches no part of a function that is not to be watched. */
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define KERNEL_IS_WATCHED_
#endif
#endif

/* Small kernels become part of the loop over their threads. With --kernel-races they do not,
 * because compilers would move accesses of one thread to another. */
#if defined(HIP_EXT_KERNEL_RACES) || defined(KERNEL_IS_WATCHED_)
#define KERNEL_FLAT_
#define KERNEL_APART_ __attribute__((noinline))
#elif defined(__OPTIMIZE__)
#define KERNEL_FLAT_ __attribute__((flatten))
#define KERNEL_APART_
#else
#define KERNEL_FLAT_
#define KERNEL_APART_
#endif

/* Variables of these headers change here, which is no access by the program. */
#if defined(__has_attribute)
#if __has_attribute(no_sanitize)
#define KERNEL_UNSEEN_ __attribute__((no_sanitize("thread")))
#endif
#endif
#if !defined(KERNEL_UNSEEN_)
#define KERNEL_UNSEEN_
#endif

template <typename T> using pointer_to = T *;

/* A name of the dynamic shared memory outside of functions. */
template <typename T> struct file_shared {
    constexpr file_shared() {}
    operator T *() const { return static_cast<T *>(dynamic_shared); }
    template <typename U> explicit operator U *() const {
        return reinterpret_cast<U *>(static_cast<T *>(dynamic_shared));
    }
    T *operator&() const { return static_cast<T *>(dynamic_shared); }
};

/* The arguments of a kernel as a plain struct, which std::tuple is not. The last one has no empty
 * tail, because bytes behind it could look like an old argument. */
template <typename... T> struct pack {};
template <typename Head> struct pack<Head> { Head head; };
template <typename Head, typename Next, typename... Tail> struct pack<Head, Next, Tail...> {
    Head head;
    pack<Next, Tail...> tail;
};

inline pack<> pack_of() { return {}; }
template <typename Head> pack<Head> pack_of(const Head &head) { return {head}; }

template <typename Head, typename Next, typename... Tail>
pack<Head, Next, Tail...> pack_of(const Head &head, const Next &next, const Tail &...tail) {
    return {head, pack_of(next, tail...)};
}

/* Calls the kernel with `done` and the arguments that are left. */
template <typename Kernel, typename... Done>
inline void call(const Kernel &kernel, const pack<> &, const Done &...done) {
    kernel(done...);
}

template <typename Kernel, typename Head, typename... Done>
inline void call(const Kernel &kernel, const pack<Head> &last, const Done &...done) {
    kernel(done..., last.head);
}

template <typename Kernel, typename Head, typename Next, typename... Tail, typename... Done>
inline void call(const Kernel &kernel, const pack<Head, Next, Tail...> &left, const Done &...done) {
    call(kernel, left.tail, done..., left.head);
}

/* Writes the addresses of arguments. */
inline void list_pack(const pack<> &, void **) {}

template <typename Head> void list_pack(const pack<Head> &last, void **list) {
    *list = const_cast<void *>(static_cast<const void *>(&last.head));
}

template <typename Head, typename Next, typename... Tail>
void list_pack(const pack<Head, Next, Tail...> &arguments, void **list) {
    *list = const_cast<void *>(static_cast<const void *>(&arguments.head));
    list_pack(arguments.tail, list + 1);
}

template <typename... T> constexpr unsigned count_of(const pack<T...> &) { return sizeof...(T); }

template <typename... T> struct all_plain : std::true_type {};
template <typename Head, typename... Tail>
struct all_plain<Head, Tail...>
    : std::integral_constant<bool, std::is_trivially_copyable<Head>::value &&
                                       all_plain<Tail...>::value> {};

/* ---- the threads of a block */

template <typename Kernel, typename Arguments>
KERNEL_APART_ inline void run_thread(const Kernel &kernel, const Arguments &arguments) {
    call(kernel, arguments);
}

/* Goes on to the first thread of the next row. Returns false behind the last row. */
KERNEL_UNSEEN_ inline bool next_row(const dim3 &size) {
    threadIdx.x = 0;
    if (++threadIdx.y < size.y) return true;
    threadIdx.y = 0;
    return ++threadIdx.z < size.z;
}

/* Tells the compiler the value of a variable, so that a kernel does not read it from memory. */
#define KERNEL_IS_(variable, value)                                                                \
    if ((variable) != (value)) __builtin_unreachable()
#if defined(__clang__)
#define KERNEL_ARE_(variable, value)                                                               \
    KERNEL_IS_((variable).x, (value).x);                                                           \
    KERNEL_IS_((variable).y, (value).y);                                                           \
    KERNEL_IS_((variable).z, (value).z)
#define KERNEL_RENEW_(value) static_cast<void>(0)
#else
/* Of two equal values, GCC uses the one that it met last. The variable comes first, because the
 * other value seems to change behind it. */
#define KERNEL_ARE_(variable, value) KERNEL_IS_((variable).x, (value).x)
#define KERNEL_RENEW_(value)         __asm__ volatile("" : "+rm"(value))
#endif

/* Runs threads from block->first on, until another call runs the rest. The two empty instructions
 * keep all that a thread does behind the store of its coordinates and before the next one.
 * Otherwise the report of a fault would name another thread. */
template <typename Kernel, typename Arguments>
KERNEL_FLAT_ KERNEL_UNSEEN_ void run_threads(const Kernel &kernel, const Arguments &arguments,
                                             const KERNEL_API_(ExtHostBlock) * block) {
    const Arguments own = arguments; /* not changed by stores of the kernel */
    const void *const loop = block->loop;
    dim3 size = block->blockDim;
    dim3 index = block->blockIdx;
    const dim3 end = size;
    const unsigned first = block->first;
    threadIdx = first == 0 ? uint3{0, 0, 0}
                           : uint3{first % end.x, first / end.x % end.y, first / end.x / end.y};
    do {
        for (unsigned x = threadIdx.x; x < end.x; x++) {
            threadIdx.x = x;
            __asm__ volatile("" ::"m"(threadIdx.x));
            KERNEL_IS_(threadIdx.x, x);
            KERNEL_ARE_(blockDim, size);
            KERNEL_ARE_(blockIdx, index);
            KERNEL_IS_(block->loop, loop);
            run_thread(kernel, own);
            if (block->loop != loop) return;
            __asm__ volatile("" ::: "memory");
        }
        KERNEL_RENEW_(size.x);
        KERNEL_RENEW_(index.x);
    } while (next_row(end));
}

/* A kernel by its address, and its arguments. */
template <typename... Formal> struct closure {
    static_assert(all_plain<Formal...>::value, "a kernel's arguments are copied as bytes");
    void (*kernel)(Formal...);
    pack<Formal...> arguments;
};

template <typename... Formal>
void run_closure(const closure<Formal...> &c, const KERNEL_API_(ExtHostBlock) * block) {
    run_threads(c.kernel, c.arguments, block);
}

/* The same with a function object that returns the address, as a constant if it has no members. It
 * is a base, because bytes behind a member could look like an old argument. */
template <typename Get, typename... Formal> struct named_closure : Get {
    named_closure(const Get &get, const closure<Formal...> &kernel_) : Get(get), kernel(kernel_) {}
    closure<Formal...> kernel;
};

template <typename Get, typename... Formal>
void run_closure(const named_closure<Get, Formal...> &c, const KERNEL_API_(ExtHostBlock) * block) {
    const Get &get = c;
    if (get(0) == c.kernel.kernel) /* or a variable has changed since the launch */
        run_threads([&get](const Formal &...a) { get(0)(a...); }, c.kernel.arguments, block);
    else
        run_closure(c.kernel, block);
}

/* A kernel whose parameters follow from its arguments. */
template <typename Call, typename... Actual> struct deduced_closure : Call {
    static_assert(all_plain<Actual...>::value, "a kernel's arguments are copied as bytes");
    deduced_closure(const Call &call, const pack<Actual...> &all) : Call(call), arguments(all) {}
    pack<Actual...> arguments;
};

template <typename Call, typename... Actual>
void run_closure(const deduced_closure<Call, Actual...> &c,
                 const KERNEL_API_(ExtHostBlock) * block) {
    run_threads(static_cast<const Call &>(c), c.arguments, block);
}

template <typename Closure> auto arguments_of(const Closure &c) -> decltype((c.arguments)) {
    return c.arguments;
}

template <typename Get, typename... Formal>
const pack<Formal...> &arguments_of(const named_closure<Get, Formal...> &c) {
    return c.kernel.arguments;
}

template <typename Closure> void list_closure(const void *closure, void **list) {
    list_pack(arguments_of(*static_cast<const Closure *>(closure)), list);
}

/* Goes on to the next block, if no thread of this one met others. */
KERNEL_UNSEEN_ inline bool next_block(KERNEL_API_(ExtHostBlock) * block) {
    if (block->met != 0 || block->blocks == 1) return false;
    block->blocks--;
    if (++block->blockIdx.x == block->gridDim.x) {
        block->blockIdx.x = 0;
        if (++block->blockIdx.y == block->gridDim.y) {
            block->blockIdx.y = 0;
            block->blockIdx.z++;
        }
    }
    return true;
}

template <typename Closure>
KERNEL_UNSEEN_ void run_blocks(const Closure &closure, KERNEL_API_(ExtHostBlock) * block) {
    do {
        blockIdx = uint3{block->blockIdx.x, block->blockIdx.y, block->blockIdx.z};
        run_closure(closure, block);
    } while (next_block(block));
}

template <typename Closure>
KERNEL_UNSEEN_ KERNEL_API_(Error_t)
    run_block(const void *data, const KERNEL_API_(ExtHostBlock) * block, const char **why) {
    const Closure &closure = *static_cast<const Closure *>(data);
    KERNEL_API_(ExtHostBlock) *const own = const_cast<KERNEL_API_(ExtHostBlock) *>(block);
    if (running != block) { /* it is the first block of a launch on this CPU thread */
        running = block;
        own->running = &running;
        own->thread = reinterpret_cast<const dim3 *>(&threadIdx);
        dynamic_shared = block->shared;
        gridDim = block->gridDim;
        blockDim = block->blockDim;
    }
#if defined(__cpp_exceptions)
    try {
        run_blocks(closure, own);
    } catch (...) {
        *why = "an exception left the kernel";
        return KERNEL_API_(ErrorLaunchFailure);
    }
#else
    (void)why;
    run_blocks(closure, own);
#endif
    return KERNEL_API_(Success);
}

/* ---- launches */

/* Bytes between the arguments could look like an old argument. */
template <typename Closure> void clear_padding(Closure &closure) {
#if defined(__has_builtin)
#if __has_builtin(__builtin_clear_padding)
    __builtin_clear_padding(&closure);
#endif
#endif
    (void)closure;
}

struct configuration {
    configuration(dim3 grid_ = 1, dim3 block_ = 1, std::size_t shared_ = 0,
                  KERNEL_API_(Stream_t) stream_ = nullptr)
        : grid(grid_), block(block_), shared(shared_), stream(stream_) {}
    dim3 grid;
    dim3 block;
    std::size_t shared;
    KERNEL_API_(Stream_t) stream;
};

/* Launches the kernel that has the address or handle `function`, if that is known. */
template <typename Closure>
KERNEL_API_(Error_t)
submit(const Closure &closure, const char *name, const configuration &where, const void *function,
       bool exists, bool cooperative = false) {
    static_assert(alignof(Closure) <= 64, "a kernel's arguments are aligned to 64");
    static_assert(sizeof closure <= 32896, "a kernel's arguments are 32764 bytes at most");
    Closure own = closure;
    clear_padding(own);
    const KERNEL_API_(ExtHostLaunch) launch = {exists ? &run_block<Closure> : nullptr,
                                               name,
                                               where.grid,
                                               where.block,
                                               where.shared,
                                               where.stream,
                                               cooperative,
                                               &own,
                                               sizeof own,
                                               function,
                                               count_of(arguments_of(closure)),
                                               &list_closure<Closure>};
    return KERNEL_API_(ExtLaunchHost)(&launch);
}

/* Launches a kernel whose address is known. */
template <typename Closure, typename... Formal>
KERNEL_API_(Error_t)
submit_known(const Closure &closure, const char *name, const configuration &where,
             void (*kernel)(Formal...), bool cooperative = false) {
    return submit(closure, name, where, reinterpret_cast<const void *>(kernel), kernel != nullptr,
                  cooperative);
}

/* A type that other arguments do not determine, so that a literal 0 can be a pointer. */
template <typename T> struct as_is { using type = T; };

/* Launches a kernel by its address. */
template <typename... Formal>
void launch(const char *name, void (*kernel)(Formal...), dim3 grid, dim3 block, std::size_t shared,
            KERNEL_API_(Stream_t) stream, typename as_is<Formal>::type... arguments) {
    const closure<Formal...> c{kernel, pack_of(arguments...)};
    (void)submit_known(c, name, {grid, block, shared, stream}, kernel);
}

/* Reads arguments from a list of pointers to them. */
template <typename... T> struct reader {
    static pack<> read(void *const *) { return {}; }
};
template <typename Head> struct reader<Head> {
    static pack<Head> read(void *const *arguments) {
        return {*static_cast<const Head *>(*arguments)};
    }
};
template <typename Head, typename Next, typename... Tail> struct reader<Head, Next, Tail...> {
    static pack<Head, Next, Tail...> read(void *const *arguments) {
        return {*static_cast<const Head *>(*arguments), reader<Next, Tail...>::read(arguments + 1)};
    }
};

/* A kernel that the library knows by its address, or by that of `info`. */
template <typename Closure, typename... Formal> struct registration {
    KERNEL_API_(ExtHostParameter) parameters[sizeof...(Formal) + 1];
    KERNEL_API_(ExtHostKernelInfo) info;

    registration(const void *function, const char *name, void (*pack)(void *, void *const *),
                 unsigned bound = 0)
        : parameters{{sizeof(Formal), alignof(Formal)}..., {0, 1}}, info{nullptr,
                                                                         function != nullptr
                                                                             ? function
                                                                             : &info,
                                                                         name,
                                                                         &run_block<Closure>,
                                                                         sizeof(Closure),
                                                                         pack,
                                                                         &list_closure<Closure>,
                                                                         parameters,
                                                                         sizeof...(Formal),
                                                                         bound} {
        KERNEL_API_(ExtRegisterHostKernel)(&info);
    }
    registration(const registration &) = delete;
    registration &operator=(const registration &) = delete;
    ~registration() { KERNEL_API_(ExtUnregisterHostKernel)(&info); }
};

#if defined(__cpp_generic_lambdas)

template <typename Call, typename... Actual>
void make_deduced(void *closure, void *const *arguments) {
    ::new (&static_cast<deduced_closure<Call, Actual...> *>(closure)->arguments)
        pack<Actual...>{reader<Actual...>::read(arguments)};
}

/* Returns a handle of a kernel whose address is not known, if its name needs no variable of the
 * launching function. */
template <typename Call, typename... Actual>
const void *handle_of(std::true_type, const char *name) {
    static const registration<deduced_closure<Call, Actual...>, Actual...> own{
        nullptr, name, make_deduced<Call, Actual...>};
    return &own.info;
}

template <typename Call, typename... Actual> const void *handle_of(std::false_type, const char *) {
    return nullptr;
}

/* Returns the address of a kernel; Tag makes the call depend on a template. */
template <typename Tag, typename... Formal>
constexpr auto address_of(void (*kernel)(Formal...)) -> void (*)(Formal...) {
    return kernel;
}

/* The name has no address without the arguments: it is that of a template, or overloaded. */
template <typename Call> struct deducing_launcher {
    const Call call;
    const char *const name;
    const configuration where;

    template <typename... Actual>
    auto operator()(Actual... arguments) const -> decltype(std::declval<Call>()(arguments...)) {
        (void)submit(deduced_closure<Call, Actual...>{call, pack_of(arguments...)}, name, where,
                     handle_of<Call, Actual...>(std::is_empty<Call>(), name), true);
    }

    template <typename... Actual>
    void with(dim3 grid, dim3 block, std::size_t shared, KERNEL_API_(Stream_t) stream,
              Actual... arguments) const {
        deducing_launcher{call, name, {grid, block, shared, stream}}(arguments...);
    }
};

/* The name of a kernel in a launch; called with the arguments, it launches. */
template <typename Get, typename Call, typename... Formal> struct launcher {
    const Get get;
    const Call call;
    void (*const kernel)(Formal...);
    const char *const name;
    const configuration where;

    void operator()(Formal... arguments) const {
        start(std::is_empty<Get>(), where, pack_of(arguments...));
    }

    /* The kernel has default arguments. */
    template <typename... Actual,
              typename = typename std::enable_if<(sizeof...(Actual) < sizeof...(Formal))>::type>
    auto operator()(Actual... arguments) const -> decltype(std::declval<Call>()(arguments...)) {
        deducing_launcher<Call>{call, name, where}(arguments...);
    }

    void with(dim3 grid, dim3 block, std::size_t shared, KERNEL_API_(Stream_t) stream,
              Formal... arguments) const {
        start(std::is_empty<Get>(), {grid, block, shared, stream}, pack_of(arguments...));
    }

    void between(dim3 grid, dim3 block, std::size_t shared, KERNEL_API_(Stream_t) stream,
                 KERNEL_API_(Event_t) first, KERNEL_API_(Event_t) last, unsigned,
                 Formal... arguments) const {
        if (first != nullptr) (void)KERNEL_API_(EventRecord)(first, stream);
        with(grid, block, shared, stream, arguments...);
        if (last != nullptr) (void)KERNEL_API_(EventRecord)(last, stream);
    }

  private:
    void start(std::true_type, const configuration &at, const pack<Formal...> &arguments) const {
        (void)submit_known(named_closure<Get, Formal...>{get, {kernel, arguments}}, name, at,
                           kernel);
    }

    /* A variable of the launching function has the address. */
    void start(std::false_type, const configuration &at, const pack<Formal...> &arguments) const {
        (void)submit_known(closure<Formal...>{kernel, arguments}, name, at, kernel);
    }
};

template <typename Get, typename Call, typename... Formal>
launcher<Get, Call, Formal...> launcher_of(const Get &get, const Call &call,
                                           void (*kernel)(Formal...), const char *name,
                                           const configuration &where) {
    return {get, call, kernel, name, where};
}

template <typename Get, typename Call, typename Int>
auto make_launcher(Int chosen, const Get &get, const Call &call, const char *name,
                   const configuration &where)
    -> decltype(launcher_of(get, call, get(chosen), name, where)) {
    return launcher_of(get, call, get(chosen), name, where);
}

template <typename Get, typename Call>
deducing_launcher<Call> make_launcher(long, const Get &, const Call &call, const char *name,
                                      const configuration &where) {
    return {call, name, where};
}

#endif

template <typename... Formal>
KERNEL_API_(Error_t)
launch_list(void (*kernel)(Formal...), const configuration &where, void **arguments,
            bool cooperative) {
    if (arguments == nullptr && sizeof...(Formal) > 0) {
        return KERNEL_API_(ExtLaunchHostKernel)(&run_block<closure<Formal...>>, where.grid,
                                                where.block, where.shared, where.stream, nullptr,
                                                1);
    }
    const closure<Formal...> c{kernel, reader<Formal...>::read(arguments)};
    const char *name = KERNEL_NAME_OF_(reinterpret_cast<const void *>(kernel));
    return submit_known(c, name, where, kernel, cooperative);
}

/* ---- kernels that can be launched by their address */

template <typename Function, Function function, typename... Formal> struct known_closure {
    static_assert(all_plain<Formal...>::value, "a kernel's arguments are copied as bytes");
    pack<Formal...> arguments;
};

template <typename Function, Function function, typename... Formal>
void run_closure(const known_closure<Function, function, Formal...> &c,
                 const KERNEL_API_(ExtHostBlock) * block) {
    run_threads([](const Formal &...a) { function(a...); }, c.arguments, block);
}

/* Copies what stands behind the last " = ", without an "&" and the last bracket. */
inline void copy_name(const char *from, char *to, std::size_t size) {
    const char *begin = from;
    for (const char *at = from; *at != 0; at++)
        if (at[0] == ' ' && at[1] == '=' && at[2] == ' ') begin = at + 3;
    if (*begin == '&') begin++;
    std::size_t length = std::strlen(begin);
    if (length > 0) length--;
    if (length >= size) length = size - 1;
    std::memcpy(to, begin, length);
    to[length] = 0;
}

/* Keeps what get() names, if its name is not ambiguous. */
template <typename Get>
auto keep(const Get &get, int tag) -> decltype(static_cast<void>(get(tag))) {
    static_cast<void>(get(tag));
}
template <typename Get> void keep(const Get &, long) {}

/* The kernel is the last parameter, because its name is read from the end of the compiler's text. */
template <typename Function, unsigned bound, Function function> struct known_kernel;

template <typename... Formal, unsigned bound, void (*function)(Formal...)>
struct known_kernel<void (*)(Formal...), bound, function> {
    using closure_type = known_closure<void (*)(Formal...), function, Formal...>;
    static_assert(alignof(closure_type) <= 64, "a kernel's arguments are aligned to 64");
    static_assert(sizeof(closure_type) <= 32896, "a kernel's arguments are 32764 bytes at most");

    static void make_closure(void *closure, void *const *arguments) {
        clear_padding(*::new (closure) closure_type{reader<Formal...>::read(arguments)});
    }

    /* The compiler ends the text with the name of the kernel. */
    static const char *name() {
        static char text[256];
        copy_name(__PRETTY_FUNCTION__, text, sizeof text);
        return text;
    }

    static registration<closure_type, Formal...> registered;
};

template <typename... Formal, unsigned bound, void (*function)(Formal...)>
registration<typename known_kernel<void (*)(Formal...), bound, function>::closure_type, Formal...>
    known_kernel<void (*)(Formal...), bound, function>::registered{
        reinterpret_cast<const void *>(function), name(), make_closure, bound};

} // namespace kernel_impl

/* Names the block's dynamic shared memory, the fourth argument of a launch: a pointer inside a
 * kernel. The type may be an array, whose name then has one more dimension. HIP_EXT_FILE_SHARED()
 * names it outside of functions, as an object that converts to the pointer. */
#define HIP_DYNAMIC_SHARED(type, var)                                                              \
    ::kernel_impl::pointer_to<type> var =                                                          \
        static_cast<::kernel_impl::pointer_to<type>>(::kernel_impl::dynamic_shared);
#define HIP_EXT_FILE_SHARED(type, var)                                                             \
    static constexpr ::kernel_impl::file_shared<type> var {}
/* Chooses the body of a function of both sides whose code depends on the architecture. */
#define HIP_EXT_IN_KERNEL ::kernel_impl::in_kernel()
/*
 * HIP_EXT_LAUNCH((kernel), grid, block, shared, stream)(arguments...) stands for the launch with
 * triple angle brackets. It returns nothing; GetLastError() returns the error.
 */
#if defined(__cpp_generic_lambdas)
#define KERNEL_LAUNCHER_(kernelName, ...)                                                          \
    ::kernel_impl::make_launcher(                                                                  \
        0,                                                                                         \
        [=](auto kernel_tag_) -> decltype(::kernel_impl::address_of<decltype(kernel_tag_)>(        \
                                  kernelName)) {                                                   \
            return ::kernel_impl::address_of<decltype(kernel_tag_)>(kernelName);                   \
        },                                                                                         \
        [=](auto... kernel_a_) -> decltype((void)kernelName(kernel_a_...)) {                       \
            kernelName(kernel_a_...);                                                              \
        },                                                                                         \
        #kernelName, ::kernel_impl::configuration(__VA_ARGS__))
#define HIP_EXT_LAUNCH(kernelName, ...) KERNEL_LAUNCHER_(kernelName, __VA_ARGS__)
#endif

/* In the body of a kernel, with its name and its own template arguments: lets programs launch it by
 * its address. It does nothing when the kernel runs. From C++17 on it may stand in a function whose
 * name is overloaded; then it has no effect. Before, the name stands without parentheses. */
#if __cplusplus >= 201703L
#define KERNEL_ADDRESS_(...) ::kernel_impl::address_of<decltype(kernel_tag_)>(__VA_ARGS__)
#define KERNEL_KNOWN_(...)                                                                         \
    &::kernel_impl::known_kernel<decltype(KERNEL_ADDRESS_(__VA_ARGS__)), 0,                        \
                                 KERNEL_ADDRESS_(__VA_ARGS__)>::registered
#define HIP_EXT_KERNEL(...)                                                                        \
    (true ? static_cast<void>(0)                                                                   \
          : ::kernel_impl::keep(                                                                   \
                [](auto kernel_tag_) -> decltype(KERNEL_KNOWN_(__VA_ARGS__)) {                     \
                    return KERNEL_KNOWN_(__VA_ARGS__);                                             \
                },                                                                                 \
                0))
#else
#define HIP_EXT_KERNEL(...)                                                                        \
    static_cast<void>(                                                                             \
        &::kernel_impl::known_kernel<decltype(&__VA_ARGS__), 0, &__VA_ARGS__>::registered)
#endif

/* The same for a name that may be overloaded, with the parameters in brackets before it. */
#define HIP_EXT_KERNEL_OF(parameters, ...)                                                         \
    static_cast<void>(&::kernel_impl::known_kernel<void(*) parameters, 0, &__VA_ARGS__>::registered)

/* The same with the most threads of a block, by __launch_bounds__(). */
#define HIP_EXT_BOUNDED_KERNEL_OF(bound, parameters, ...)                                          \
    static_cast<void>(                                                                             \
        &::kernel_impl::known_kernel<void(*) parameters, (bound), &__VA_ARGS__>::registered)

/* Launch a kernel with a pointer to each argument, the second one with blocks that wait for each
 * other. InvalidValue: args NULL with parameters; CooperativeLaunchTooLarge: more
 * blocks than the device has units; else as ExtLaunchHost(). */
template <typename... Formal>
KERNEL_API_(Error_t)
KERNEL_API_(LaunchKernel)(void (*kernel)(Formal...), dim3 numBlocks, dim3 dimBlocks, void **args,
                          std::size_t sharedMemBytes = 0, KERNEL_API_(Stream_t) stream = nullptr) {
    return kernel_impl::launch_list(kernel, {numBlocks, dimBlocks, sharedMemBytes, stream}, args,
                                    false);
}

template <typename... Formal>
KERNEL_API_(Error_t)
KERNEL_API_(LaunchCooperativeKernel)(void (*kernel)(Formal...), dim3 numBlocks, dim3 dimBlocks,
                                     void **args, unsigned int sharedMemBytes = 0,
                                     KERNEL_API_(Stream_t) stream = nullptr) {
    return kernel_impl::launch_list(kernel, {numBlocks, dimBlocks, sharedMemBytes, stream}, args,
                                    true);
}

/* ---- occupancy: each compute unit runs one block of a kernel at once */

template <typename... Formal>
KERNEL_API_(Error_t)
KERNEL_API_(OccupancyMaxActiveBlocksPerMultiprocessor)(int *numBlocks, void (*kernel)(Formal...),
                                                       int blockSize,
                                                       std::size_t dynSharedMemPerBlk = 0) {
    return KERNEL_API_(ExtOccupancyHostKernel)(numBlocks, reinterpret_cast<const void *>(kernel),
                                               blockSize, dynSharedMemPerBlk);
}

/* The flags have no effect. */
template <typename... Formal>
KERNEL_API_(Error_t)
KERNEL_API_(OccupancyMaxActiveBlocksPerMultiprocessorWithFlags)(int *numBlocks,
                                                                void (*kernel)(Formal...),
                                                                int blockSize,
                                                                std::size_t dynSharedMemPerBlk = 0,
                                                                unsigned int flags = 0) {
    (void)flags;
    return KERNEL_API_(ExtOccupancyHostKernel)(numBlocks, reinterpret_cast<const void *>(kernel),
                                               blockSize, dynSharedMemPerBlk);
}

/* The largest block, which has the device's limit of threads or `blockSizeLimit`, and the smallest
 * grid of such blocks that occupies the device. */
template <typename... Formal>
KERNEL_API_(Error_t)
KERNEL_API_(OccupancyMaxPotentialBlockSize)(int *gridSize, int *blockSize,
                                            void (*kernel)(Formal...),
                                            std::size_t dynSharedMemPerBlk = 0,
                                            int blockSizeLimit = 0) {
    return KERNEL_API_(ExtOccupancyHostGrid)(gridSize, blockSize,
                                             reinterpret_cast<const void *>(kernel),
                                             dynSharedMemPerBlk, blockSizeLimit);
}

#endif
#endif
