# SPDX-License-Identifier: Apache-2.0
"""The table of recordings whose truth is known. A function that makes one declares the answers that are right:

    @recording({7: SILENT_OR + 'no: '})
    def one_step_of_many_layers():
        ...
        return story

An answer is a regular expression, which is matched at the begin of the text. Where a recording is such that the
answer must be told, SILENT_OR is left out.
"""

OPENING = 0  # in place of a question: the verdict and the remedy
SILENT_OR = 'cannot be told|'
TABLE = {}  # by name: the function, and the right answers by question


def recording(answers):
    def enter(function):
        assert function.__name__ not in TABLE, f'two recordings have the name {function.__name__}'
        TABLE[function.__name__] = function, answers
        return function
    return enter
