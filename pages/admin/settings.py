"""Settings: which store this is, what judges can run here, and what leaves the machine."""

from faithview.ui.settings import draw_judges, draw_store, draw_test, draw_versions
from faithview.ui.widgets.first_line import first_line

first_line("Settings")
draw_store()
draw_judges()
draw_test()
draw_versions()
