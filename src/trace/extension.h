// SPDX-License-Identifier: Apache-2.0
// Names by which Tarn's files in the formats of other tools hold more than these formats have. A
// writer and a reader share each. No state.
#pragma once

// Chrome traces: the key of the binary trace, in base64.
#define TN_CHROME_RECORDING "tarnRecording"

// Snapshots: keys beside those of PyTorch. The format of the recording, where it is none of PyTorch,
// the bits of enum tn_trace_lacks, of a segment: whether the recording did not have it, and of a
// block: its stream, where that is another one than that of its segment.
#define TN_SNAPSHOT_ORIGIN  "tarnOrigin"
#define TN_SNAPSHOT_LACKS   "tarnLacks"
#define TN_SNAPSHOT_MADE_UP "tarnMadeUp"
#define TN_SNAPSHOT_STREAM  "tarnStream"
