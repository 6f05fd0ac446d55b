"""The command line: ``stablemate VERB``.

Arguments come in, an exit code goes out; results are written to stdout, everything else to stderr.
``command_line`` lists the verbs, ``verbs`` holds one module for each, imported when it is used.
"""

from stablemate.cli.command_line import VERBS as VERBS
from stablemate.cli.command_line import main as main
