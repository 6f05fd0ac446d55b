"""Models of timm: the smallest of each of its modules, with images as small as it allows."""

from __future__ import annotations

from functools import partial
from typing import Any

import timm
import torch

from tools.torch_zoo.rows import Model, image

# The side of images; the models whose windows or positions depend on it are told the size.
BY_SIZE = {
    32: "test_convnext3 test_mambaout convmixer_1024_20_ks9_p14 mixer_s16_224 resmlp_12_224",
    64: (
        "cpubone_nano cspnext_tiny darknet17 cspresnet50 densenet121 dla34 dpn48b "
        "edgenext_xx_small efficientvit_b0 efficientnet_es efficientnet_lite0 "
        "tf_efficientnetv2_b0 mixnet_s fasternet_t0 fastvit_t8 ghostnet_050 ghostnetv2_100 "
        "hardcorenas_a hgnet_tiny hgnetv2_b0 hrnet_w18_small inception_next_atto lcnetv2_small "
        "lowformer_e1 poolformer_s12 caformer_s18 convformer_s18 lcnet_050 "
        "mobilenetv3_small_050 mobilenetv4_conv_small mobilevit_xxs mobilevitv2_050 nf_resnet26 "
        "nf_regnet_b0 pvt_v2_b0 regnetx_002 regnety_002 repghostnet_050 repvit_m1_1 repvgg_a0 "
        "mobileone_s0 res2net50_48w_2s resnest14d resnetblur18 resnet26t seresnet18 "
        "ecaresnet26t resnetv2_18 rexnet_100 selecsls42 legacy_seresnet18 shvit_s1 skresnet18 "
        "starnet_s050 tresnet_m ese_vovnet19b_slim legacy_xception xception41p seresnext26ts "
        "gernet_s rdnet_tiny nextvit_small convnextv2_atto efficientvim_m1 csatv2 iformer_t "
        "davit_tiny focalnet_tiny_srf sam2_hiera_tiny tiny_vit_5m_224"
    ),
    128: "halonet26t",
    96: "inception_v3 inception_v4 inception_resnet_v2",
}
SIZED = {
    32: (
        "beit_base_patch16_224 deit_tiny_patch16_224 deit3_small_patch16_224 "
        "vit_tiny_patch16_224 vit_small_patch16_18x2_224 vit_relpos_small_patch16_224 "
        "vit_srelpos_small_patch16_224 eva02_tiny_patch14_224 cait_xxs24_224 convit_tiny "
        "tnt_s_legacy_patch16_224 xcit_nano_12_p8_224 sequencer2d_s volo_d1_224 "
        "samvit_base_patch16_224 deit_tiny_distilled_patch16_224 beitv2_base_patch16_224 "
        "vit_base_patch16_siglip_gap_224 vit_base_patch16_clip_224 vit_tiny_r_s16_p8_224 "
        "vit_base_patch16_rope_224"
    ),
    64: (
        "botnet26t_256 lambda_resnet26t coat_lite_tiny coat_tiny "
        "efficientformerv2_s0 efficientvit_m0 "
        "gcvit_xxtiny levit_128s mvitv2_tiny nest_tiny pit_ti_224 swin_s3_tiny_224 "
        "swin_tiny_patch4_window7_224 swinv2_tiny_window8_256 swinv2_cr_tiny_224 "
        "twins_pcpvt_small twins_svt_small visformer_tiny swiftformer_xs test_coatnet "
        "coatnet_nano_rw_224 maxvit_pico_rw_256 hiera_tiny_224 vitamin_small_224"
    ),
}
# Transformers whose layers are all alike have two.
SHALLOW = {
    name: {"depth": 2}
    for name in (
        "beit_base_patch16_224", "deit_tiny_patch16_224", "deit3_small_patch16_224",
        "vit_tiny_patch16_224", "vit_relpos_small_patch16_224", "vit_srelpos_small_patch16_224",
        "eva02_tiny_patch14_224", "cait_xxs24_224", "convit_tiny", "tnt_s_legacy_patch16_224",
        "xcit_nano_12_p8_224", "samvit_base_patch16_224", "deit_tiny_distilled_patch16_224",
        "beitv2_base_patch16_224", "vit_base_patch16_siglip_gap_224", "vit_base_patch16_clip_224",
        "vit_base_patch16_rope_224", "vit_small_patch16_18x2_224",
    )
}  # fmt: skip
SPECIAL = {
    "tnt_s_legacy_patch16_224": {"img_size": 64}, "eva02_tiny_patch14_224": {"img_size": 28},
    "samvit_base_patch16_224": {"global_attn_indexes": (1,), "img_size": 64},
    "volo_d1_224": {"img_size": 64},
    "crossvit_9_240": {"img_size": 240}, "efficientformer_l1": {"img_size": 224},
    "mixer_s16_224": {"img_size": 32},
    "resmlp_12_224": {"img_size": 32},
    "sequencer2d_s": {"img_size": 64, "layers": (1, 1, 1, 1)},
}  # fmt: skip


def models() -> list[Model]:
    """The models."""
    plain = [row(name, size, {}) for size, names in BY_SIZE.items() for name in names.split()]
    whole = [row(name, 224, {}) for name in ("crossvit_9_240", "efficientformer_l1")]
    sized = [
        row(name, size, {"img_size": size})
        for size, names in SIZED.items()
        for name in names.split()
    ]
    return sorted([*plain, *sized, *whole], key=lambda model: model.name)


def row(name: str, size: int, settings: dict[str, Any]) -> Model:
    """A model that timm creates by name."""
    settings = {**settings, **SHALLOW.get(name, {}), **SPECIAL.get(name, {})}
    size = settings.get("img_size", size)
    make = partial(created, name, settings)
    return Model("timm", name, make, image(3, size, size), settings=settings)


def created(name: str, settings: dict[str, Any]) -> torch.nn.Module:
    """A model that timm creates."""
    return timm.create_model(name, pretrained=False, **settings)
