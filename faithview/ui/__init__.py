"""The dashboard's parts: the only package that imports Streamlit, besides app.py and pages/."""
