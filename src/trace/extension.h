// SPDX-License-Identifier: Apache-2.0
// Names by which Tarn's files in the formats of other tools hold more than these formats have. A
// writer and a reader share each. No state.
#pragma once

// Chrome traces: the key of the binary trace, in base64.
#define TN_CHROME_RECORDING "tarnRecording"

// Snapshots: keys beside those of PyTorch. A snapshot has the format of the recording, if that is
// not PyTorch's, and the bits of enum tn_trace_lacks. A segment says whether Tarn made it up. A
// block has its stream, if that differs from the stream of its segment.
#define TN_SNAPSHOT_ORIGIN  "tarnOrigin"
#define TN_SNAPSHOT_LACKS   "tarnLacks"
#define TN_SNAPSHOT_MADE_UP "tarnMadeUp"
#define TN_SNAPSHOT_STREAM  "tarnStream"
