"""Models of scikit-learn, fitted to random numbers, as skl2onnx writes them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Final

import numpy as np
from skl2onnx import to_onnx
from sklearn import (
    cluster,
    compose,
    decomposition,
    ensemble,
    gaussian_process,
    linear_model,
    naive_bayes,
    neighbors,
    neural_network,
    pipeline,
    preprocessing,
    svm,
    tree,
)

from tools.onnx_cases import Make

ROWS: Final = 60
COLUMNS: Final = 5
BATCHES: Final = (2, 7)

CLASSIFIERS: Final[Mapping[str, Callable[[], Any]]] = {
    "LogisticRegression": linear_model.LogisticRegression,
    "LinearSVC": svm.LinearSVC,
    "SVC": partial(svm.SVC, probability=True),
    "NuSVC": partial(svm.NuSVC, nu=0.1),
    "DecisionTreeClassifier": tree.DecisionTreeClassifier,
    "RandomForestClassifier": partial(ensemble.RandomForestClassifier, 5),
    "ExtraTreesClassifier": partial(ensemble.ExtraTreesClassifier, 5),
    "GradientBoostingClassifier": partial(ensemble.GradientBoostingClassifier, n_estimators=5),
    "AdaBoostClassifier": partial(ensemble.AdaBoostClassifier, n_estimators=3),
    "BaggingClassifier": partial(ensemble.BaggingClassifier, n_estimators=3),
    "GaussianNB": naive_bayes.GaussianNB,
    "KNeighborsClassifier": neighbors.KNeighborsClassifier,
    "MLPClassifier": partial(neural_network.MLPClassifier, hidden_layer_sizes=(8,), max_iter=20),
}
REGRESSORS: Final[Mapping[str, Callable[[], Any]]] = {
    "LinearRegression": linear_model.LinearRegression,
    "Ridge": linear_model.Ridge,
    "SVR": svm.SVR,
    "NuSVR": svm.NuSVR,
    "DecisionTreeRegressor": tree.DecisionTreeRegressor,
    "RandomForestRegressor": partial(ensemble.RandomForestRegressor, 5),
    "GradientBoostingRegressor": partial(ensemble.GradientBoostingRegressor, n_estimators=5),
    "KNeighborsRegressor": neighbors.KNeighborsRegressor,
    "MLPRegressor": partial(neural_network.MLPRegressor, hidden_layer_sizes=(8,), max_iter=20),
    "GaussianProcessRegressor": gaussian_process.GaussianProcessRegressor,
    "PoissonRegressor": linear_model.PoissonRegressor,
}
# Classifiers whose labels are strings, and whose results are maps from them.
MAPPED: Final = (
    "LogisticRegression", "SVC", "RandomForestClassifier", "GradientBoostingClassifier",
    "KNeighborsClassifier", "MLPClassifier", "AdaBoostClassifier",
)  # fmt: skip
NAMES: Final = ("ant", "bee", "cow")
TRANSFORMERS: Final[Mapping[str, Callable[[], Any]]] = {
    "StandardScaler": preprocessing.StandardScaler,
    "MinMaxScaler": preprocessing.MinMaxScaler,
    "RobustScaler": preprocessing.RobustScaler,
    "Normalizer": preprocessing.Normalizer,
    "Binarizer": preprocessing.Binarizer,
    "PolynomialFeatures": preprocessing.PolynomialFeatures,
    "KBinsDiscretizer": partial(preprocessing.KBinsDiscretizer, 3, encode="onehot-dense"),
    "PCA": partial(decomposition.PCA, 3),
    "TruncatedSVD": partial(decomposition.TruncatedSVD, 3),
    "KMeans": partial(cluster.KMeans, 3, n_init=1),
}


def models() -> dict[str, Mapping[str, Make]]:
    """What makes the only case of each model."""
    rows: dict[str, Make] = {}
    for name, make in CLASSIFIERS.items():
        rows[name] = partial(exported, make, "classes")
    for name in MAPPED:
        rows[f"{name} of maps"] = partial(exported, CLASSIFIERS[name], "names", zipmap=True)
    for name, make in REGRESSORS.items():
        rows[name] = partial(exported, make, "numbers")
    for name, make in TRANSFORMERS.items():
        rows[name] = partial(exported, make, "none")
    rows["Pipeline"] = partial(exported, scaled_logistic, "classes")
    rows["ColumnTransformer"] = partial(exported, columns, "none")
    return {name: {"skl2onnx": make} for name, make in rows.items()}


def scaled_logistic() -> Any:
    """A pipeline of a scaler and a classifier."""
    return pipeline.make_pipeline(preprocessing.StandardScaler(), linear_model.LogisticRegression())


def columns() -> Any:
    """Scalers of some columns each."""
    return compose.ColumnTransformer(
        [
            ("a", preprocessing.StandardScaler(), [0, 1]),
            ("b", preprocessing.MinMaxScaler(), [2, 3, 4]),
        ]
    )


def exported(
    make: Callable[[], Any], target: str, *, zipmap: bool = False
) -> tuple[bytes, list[dict[str, Any]]]:
    """A fitted model as skl2onnx writes it, and inputs of two batch sizes."""
    random = np.random.default_rng(0)
    x = random.normal(size=(ROWS, COLUMNS)).astype(np.float32)
    weights = random.normal(size=COLUMNS)
    y: Any = None
    if target == "numbers":
        y = np.abs(x @ weights).astype(np.float32)
    elif target != "none":
        y = np.digitize(x @ weights, [-1, 1])
        y = np.array(NAMES)[y] if target == "names" else y
    model = make()
    model.fit(x) if y is None else model.fit(x, y)
    has_maps = target in ("classes", "names") and not isinstance(model, svm.LinearSVC)
    options = {id(model): {"zipmap": zipmap}} if has_maps else None
    made = to_onnx(model, x[:1], options=options, target_opset={"": 18, "ai.onnx.ml": 3})
    feeds = [
        {made.graph.input[0].name: random.normal(size=(n, COLUMNS)).astype(np.float32)}
        for n in BATCHES
    ]
    return made.SerializeToString(), feeds
