"""FaithView's logo: a ticked and underlined claim. Drawn here, so that no icon is fetched from a network."""

_MARK = (
    '<rect width="32" height="32" rx="7" fill="#1d5bb8"/>'
    '<path d="M9 13.5l5 5 9-10" fill="none" stroke="#fff" stroke-width="3.2" stroke-linecap="round" '
    'stroke-linejoin="round"/>'
    '<path d="M8 24.5h16" stroke="#fff" stroke-width="2.4" stroke-linecap="round" stroke-dasharray="7 3.5"/>'
)

ICON = f'<svg xmlns="http://www.w3.org/2000/svg" width="32" height="32" viewBox="0 0 32 32">{_MARK}</svg>'

WORDMARK = (
    f'<svg xmlns="http://www.w3.org/2000/svg" width="160" height="32" viewBox="0 0 160 32">{_MARK}'
    '<text x="42" y="23" font-family="Source Sans Pro, Segoe UI, Helvetica, Arial, sans-serif" font-size="20" '
    'font-weight="600" fill="#74839a">FaithView</text></svg>'
)
