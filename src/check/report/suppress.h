// SPDX-License-Identifier: Apache-2.0
// Suppressions: reports that the user does not want to see, by the rules of a file (rules.h). A rule
// applies if the kind, the domain of the heap and any function of the report's first stack match.
// The file is read at the first report. A file that cannot be read or parsed ends the program.
#pragma once

#include "check/report/report.h"

// Called with the lock of the reports held.
bool tn_check_suppress_matches(const struct tn_check_report *report);
