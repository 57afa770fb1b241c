# FaithView: the dashboard, the service and the command line in one image. docs/deployment.md says how to run it.
#
#     docker build -t faithview .
#     docker run --init -p 127.0.0.1:8501:8501 -v faithview:/data faithview
#
# The default command is the dashboard; `docker run ... faithview evaluate FILE` is any other.

# By digest: a tag is whatever was pushed under it last. The digest is that of all platforms together.
ARG PYTHON_IMAGE=python:3.11-slim-bookworm@sha256:0bee7276f83efd4a1ee05bbbf4281d95ed28e079220a9457f25a93e3f1e3c31b

# Everything is installed here from the lock file, hash-checked, and only the result goes on.
FROM ${PYTHON_IMAGE} AS build

WORKDIR /src
RUN python -m venv /opt/faithview
COPY requirements.lock ./
RUN /opt/faithview/bin/pip install --no-cache-dir --disable-pip-version-check --require-hashes --only-binary :all: \
        -r requirements.lock

COPY pyproject.toml README.md LICENSE NOTICE app.py ./
COPY .streamlit/config.toml .streamlit/
COPY pages pages
COPY data data
COPY faithview faithview
# What installs packages, and packages' own tests, are a seventh of it.
RUN /opt/faithview/bin/pip install --no-cache-dir --disable-pip-version-check --no-deps --no-build-isolation . \
    && /opt/faithview/bin/python -m pip uninstall --yes --quiet setuptools pip \
    && find /opt/faithview -type d -name tests -prune -exec rm -rf {} +

FROM ${PYTHON_IMAGE}

# By number, so that a cluster that refuses root can tell.
RUN groupadd --gid 10001 faithview \
    && useradd --uid 10001 --gid faithview --home-dir /data --no-create-home --shell /usr/sbin/nologin faithview \
    && install --directory --owner faithview --group faithview --mode 0700 /data

COPY --from=build /opt/faithview /opt/faithview

# The store of SQLite is in /data/faithview. A container has to listen on all its addresses, and answers to
# `localhost` until it is told the name under which people open it.
ENV PATH=/opt/faithview/bin:$PATH \
    HOME=/data \
    XDG_DATA_HOME=/data \
    PYTHONUNBUFFERED=1 \
    FAITHVIEW_ALLOWED_HOSTS=localhost

USER 10001:10001
WORKDIR /data
VOLUME /data
EXPOSE 8501

# /ready asks the store too. `urlopen` fails for every status from 400.
HEALTHCHECK --interval=30s --timeout=10s --start-period=60s --retries=3 \
    CMD ["python", "-P", "-c", "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8501/ready', timeout=8)"]

ENTRYPOINT ["faithview"]
CMD ["ui", "--no-browser", "--host", "0.0.0.0", "--port", "8501"]
