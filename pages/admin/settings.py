"""Settings: which store this is, what judges can run here, and what leaves the machine."""

from faithview.ui.settings.installation import draw_judges, draw_store, draw_versions
from faithview.ui.settings.judges_tried import draw_test
from faithview.ui.shell.shell_line import shell_line

shell_line("Settings")
draw_store()
draw_judges()
draw_test()
draw_versions()
