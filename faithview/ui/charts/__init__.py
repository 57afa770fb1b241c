"""Plotly figures and the sentences that describe them; no Streamlit."""
