"""Steps of traces, spans of OpenTelemetry among them, and the answer in them."""
