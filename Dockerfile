# Reads, checks, converts and interprets programs: docker run -v "$PWD:/work" stablemate check model.mlir
# Native code needs LLVM: --build-arg NATIVE=1 adds it, and about 180 MB.
FROM python:3.13-slim AS build
ARG NATIVE=0
COPY pyproject.toml README.md LICENSE /source/
COPY src /source/src
RUN python -m venv /opt/stablemate \
 && /opt/stablemate/bin/pip install --no-cache-dir --no-compile "/source" \
 && /opt/stablemate/bin/pip uninstall -y pip \
 && if [ "$NATIVE" = 0 ]; then rm -rf /opt/stablemate/lib/python*/site-packages/llvmlite*; fi \
 && find /opt/stablemate -type d -name tests -path '*/site-packages/*' -prune -exec rm -rf {} +

FROM python:3.13-slim
COPY --from=build /opt/stablemate /opt/stablemate
ENV PATH=/opt/stablemate/bin:$PATH
RUN useradd --create-home user
USER user
WORKDIR /work
ENTRYPOINT ["stablemate"]
