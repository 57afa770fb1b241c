"""The dashboard: the only package that imports Streamlit, besides app.py and pages/."""
