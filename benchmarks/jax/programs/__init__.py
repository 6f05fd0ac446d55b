"""Programs of real libraries: each module has ``program``, which prepares a loop and returns it."""

from __future__ import annotations

from typing import Final

PROGRAMS: Final = {
    "convolution": "a convolutional classifier (Flax, Optax): 20 training steps",
    "perceptron": "a multilayer perceptron (Equinox, Optax): 200 training steps",
    "vision_transformer": "a vision transformer (Flax, Optax): 5 training steps",
    "u_net": "a U-Net (Equinox, Optax): 5 training steps",
    "lstm": "an LSTM (Flax, Optax): 10 training steps",
    "nuts": "logistic regression with NUTS (NumPyro): 200 + 200 steps",
    "hmc": "a funnel with HMC (BlackJAX): 2,000 steps",
    "explicit_solver": "1,000 orbits with Tsit5 (Diffrax)",
    "implicit_solver": "a stiff reaction with Kvaerno5 (Diffrax): 20 solutions",
    "least_squares": "100 curve fits with Levenberg-Marquardt (Optimistix)",
    "kalman": "a Kalman filter over 2,000 observations, and its gradient",
    "gaussian_process": "a Gaussian process of 200 points (Optax): 50 steps",
}
