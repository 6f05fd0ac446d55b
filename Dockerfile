# Reads, checks, converts and interprets programs: docker run -v "$PWD:/work" stablemate check model.mlir
# Native code needs LLVM: --build-arg NATIVE=1 adds it, and about 180 MB. EXTRAS=serve adds the server.
FROM python:3.13-slim AS build
ARG NATIVE=0
ARG EXTRAS=
COPY pyproject.toml README.md LICENSE /source/
COPY src /source/src
RUN python -m venv /opt/stablemate \
 && /opt/stablemate/bin/pip install --no-cache-dir --no-compile "/source${EXTRAS:+[$EXTRAS]}" \
 && /opt/stablemate/bin/pip uninstall -y pip \
 && if [ "$NATIVE" = 0 ]; then rm -rf /opt/stablemate/lib/python*/site-packages/llvmlite*; fi \
 && find /opt/stablemate -type d -name tests -path '*/site-packages/*' -prune -exec rm -rf {} +

FROM python:3.13-slim
COPY --from=build /opt/stablemate /opt/stablemate
COPY --chmod=755 .docker/entrypoint /opt/stablemate/bin/entrypoint
# Whoever owns the mounted folder has no home in the image: the cache is in a directory of everyone.
ENV PATH=/opt/stablemate/bin:$PATH HOME=/tmp STABLEMATE_CACHE_DIR=/tmp/stablemate
WORKDIR /work
EXPOSE 8000
ENTRYPOINT ["entrypoint"]
