"""The address that the inbox had before; links to it go on to the inbox."""

from faithview.ui.inbox.forward import forward

forward()
