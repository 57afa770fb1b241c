"""A multipart form that brings a file: the file's bytes apart from the form, while both arrive."""

from python_multipart.exceptions import FormParserError
from python_multipart.multipart import MultipartParser, parse_options_header
from starlette.exceptions import HTTPException

_MOST_FORM_BYTES = 1 << 16
_BAD_REQUEST = 400


class FileForm:
    """Takes a form piece by piece, and keeps all of it but what is in its file.

    Args:
        content_type: the request's, which says what separates the parts of the form.

    Raises:
        HTTPException: this is no such form (400).
    """

    def __init__(self, content_type: str) -> None:
        kind, options = parse_options_header(content_type)
        boundary = options.get(b"boundary")
        if kind != b"multipart/form-data" or not boundary:
            raise HTTPException(_BAD_REQUEST, "Expected a form with a file")
        self._between = b"--" + boundary
        self._form = bytearray()
        self._field = self._value = b""
        self._part_is_file = self._has_file = self._is_complete = False
        self._pieces: list[bytes] = []
        try:
            self._parser = MultipartParser(
                boundary,
                {
                    "on_part_begin": self._begin_part,
                    "on_header_field": self._add_to_field,
                    "on_header_value": self._add_to_value,
                    "on_header_end": self._end_header,
                    "on_headers_finished": self._end_headers,
                    "on_part_data": self._add_data,
                    "on_part_end": self._end_part,
                    "on_end": self._end,
                },
            )
        except FormParserError as error:
            raise HTTPException(_BAD_REQUEST, "Invalid form") from error

    def feed(self, content: bytes) -> list[bytes]:
        """Take a piece of the form and return what of the file is in it; raises HTTPException for a damaged form."""
        try:
            self._parser.write(content)
        except FormParserError as error:
            raise HTTPException(_BAD_REQUEST, "Invalid form") from error
        if len(self._form) + len(self._field) + len(self._value) > _MOST_FORM_BYTES:
            raise HTTPException(_BAD_REQUEST, "Too many fields")
        pieces, self._pieces = self._pieces, []
        return pieces

    def rest(self) -> bytes:
        """Return the form with an empty file; raises HTTPException if it is cut short."""
        if not self._is_complete:
            raise HTTPException(_BAD_REQUEST, "The upload is cut short")
        return bytes(self._form) + self._between + b"--\r\n"

    def _begin_part(self) -> None:
        self._form += self._between + b"\r\n"
        self._part_is_file = False

    def _add_to_field(self, data: bytes, start: int, end: int) -> None:
        self._field += data[start:end]

    def _add_to_value(self, data: bytes, start: int, end: int) -> None:
        self._value += data[start:end]

    def _end_header(self) -> None:
        self._form += self._field + b": " + self._value + b"\r\n"
        if self._field.lower() == b"content-disposition":
            self._part_is_file = b"filename" in parse_options_header(self._value)[1]
        self._field = self._value = b""

    def _end_headers(self) -> None:
        if self._part_is_file and self._has_file:
            raise HTTPException(_BAD_REQUEST, "Expected 1 file, but got more")
        self._has_file = self._has_file or self._part_is_file
        self._form += b"\r\n"

    def _add_data(self, data: bytes, start: int, end: int) -> None:
        if self._part_is_file:
            self._pieces.append(data[start:end])
        else:
            self._form += data[start:end]

    def _end_part(self) -> None:
        self._form += b"\r\n"

    def _end(self) -> None:
        self._is_complete = True
