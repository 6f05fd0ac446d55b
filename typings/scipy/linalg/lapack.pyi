from collections.abc import Callable
from typing import Any

import numpy as np

def get_lapack_funcs(names: str, *, dtype: np.dtype[Any]) -> Callable[..., Any]: ...
