"""Boosted trees of LightGBM and XGBoost, fitted to random numbers, as onnxmltools writes them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Final

import lightgbm
import numpy as np
import xgboost
from onnxmltools.convert import convert_lightgbm, convert_xgboost
from onnxmltools.convert.common.data_types import FloatTensorType

from tools.onnx_cases import Make

ROWS: Final = 200
COLUMNS: Final = 5
BATCHES: Final = (2, 7)
FEW: Final = {"n_estimators": 5}
LIGHTGBM: Final[Mapping[str, Callable[[], Any]]] = {
    "LGBMClassifier": partial(lightgbm.LGBMClassifier, verbose=-1, **FEW),
    "LGBMRegressor": partial(lightgbm.LGBMRegressor, verbose=-1, **FEW),
    "LGBMRegressor of counts": partial(
        lightgbm.LGBMRegressor, objective="poisson", verbose=-1, **FEW
    ),
    "LGBMClassifier of random forests": partial(
        lightgbm.LGBMClassifier, boosting_type="rf", bagging_freq=1, bagging_fraction=0.7,
        verbose=-1, **FEW,
    ),
}  # fmt: skip
XGBOOST: Final[Mapping[str, Callable[[], Any]]] = {
    "XGBClassifier": partial(xgboost.XGBClassifier, **FEW),
    "XGBRegressor": partial(xgboost.XGBRegressor, **FEW),
    "XGBRegressor of counts": partial(xgboost.XGBRegressor, objective="count:poisson", **FEW),
    "XGBRFClassifier": partial(xgboost.XGBRFClassifier, **FEW),
    "XGBRFRegressor": partial(xgboost.XGBRFRegressor, **FEW),
}


def models() -> dict[str, Mapping[str, Make]]:
    """What makes the cases of each model: classifiers of two and of three classes."""
    rows: dict[str, Mapping[str, Make]] = {}
    for makes, convert in ((LIGHTGBM, convert_lightgbm), (XGBOOST, convert_xgboost)):
        for name, make in makes.items():
            counts = (2, 3) if "Classifier" in name else (0,)
            for count in counts:
                label = f"{name}, {count} classes" if count else name
                rows[label] = {"onnxmltools": partial(exported, make, convert, count)}
    return rows


def exported(
    make: Callable[[], Any], convert: Callable[..., Any], classes: int
) -> tuple[bytes, list[dict[str, Any]]]:
    """A fitted model as a converter writes it, and inputs of two batch sizes, some missing.

    Args:
        make: Makes the model.
        convert: The converter.
        classes: How many classes there are; 0 for numbers.
    """
    random = np.random.default_rng(0)
    x = random.normal(size=(ROWS, COLUMNS)).astype(np.float32)
    y = x @ random.normal(size=COLUMNS)
    model = make()
    model.fit(x, np.digitize(y, np.linspace(-1, 1, classes - 1)) if classes else np.abs(y))
    types = [("x", FloatTensorType([None, COLUMNS]))]
    made = convert(model, initial_types=types, target_opset=15)
    feeds = [{"x": random.normal(size=(n, COLUMNS)).astype(np.float32)} for n in BATCHES]
    feeds[-1]["x"][::3, 1] = np.nan
    return made.SerializeToString(), feeds
