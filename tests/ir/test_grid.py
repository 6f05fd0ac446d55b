"""Process groups: the specification's examples, and meshes by hand."""

import pytest

from stablemate.ir.grid import AxisPart, Grid, Strategy, mesh_axes_groups


def test_processes_are_replica_major() -> None:
    grid = Grid(2, 3)
    assert grid.processes == [(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2)]
    assert [grid.flattened_id(process) for process in grid.processes] == [0, 1, 2, 3, 4, 5]


# The examples of the specification, section "Collective ops".
EXAMPLES = [
    (
        Strategy.CROSS_REPLICA,
        [[0, 1], [2, 3]],
        Grid(4, 2),
        [((0, 0), (1, 0)), ((0, 1), (1, 1)), ((2, 0), (3, 0)), ((2, 1), (3, 1))],
    ),
    (
        Strategy.CROSS_PARTITION,
        [[0, 1]],
        Grid(4, 2),
        [((0, 0), (0, 1)), ((1, 0), (1, 1)), ((2, 0), (2, 1)), ((3, 0), (3, 1))],
    ),
    (
        Strategy.CROSS_REPLICA_AND_PARTITION,
        [[0, 1], [2, 3]],
        Grid(4, 2),
        [((0, 0), (1, 0), (0, 1), (1, 1)), ((2, 0), (3, 0), (2, 1), (3, 1))],
    ),
    (
        Strategy.FLATTENED_IDS,
        [[0, 1, 2, 3], [4, 5, 6, 7]],
        Grid(4, 2),
        [((0, 0), (0, 1), (1, 0), (1, 1)), ((2, 0), (2, 1), (3, 0), (3, 1))],
    ),
]


@pytest.mark.parametrize(("strategy", "ids", "grid", "expected"), EXAMPLES)
def test_strategy_gives_the_groups_of_the_specification(
    strategy: Strategy, ids: list[list[int]], grid: Grid, expected: list[tuple[tuple[int, int]]]
) -> None:
    assert strategy.process_groups(ids, grid) == expected


def test_order_of_a_group_is_kept() -> None:
    assert Strategy.CROSS_REPLICA.process_groups([[1, 0]], Grid(2)) == [((1, 0), (0, 0))]


def test_short_groups_are_padded_with_minus_one() -> None:
    groups = Strategy.CROSS_REPLICA.process_groups([[0, 1], [2, -1]], Grid(3))
    assert groups == [((0, 0), (1, 0)), ((2, 0),)]


@pytest.mark.parametrize(
    ("strategy", "expected"),
    [
        (Strategy.CROSS_REPLICA, [((0, 0), (1, 0)), ((0, 1), (1, 1))]),
        (Strategy.CROSS_PARTITION, [((0, 0), (0, 1)), ((1, 0), (1, 1))]),
        (Strategy.CROSS_REPLICA_AND_PARTITION, [((0, 0), (1, 0), (0, 1), (1, 1))]),
        (Strategy.FLATTENED_IDS, [((0, 0), (0, 1), (1, 0), (1, 1))]),
    ],
)
def test_no_groups_are_one_group_of_all_ids(
    strategy: Strategy, expected: list[tuple[tuple[int, int]]]
) -> None:
    assert strategy.process_groups([], Grid(2, 2)) == expected


MESH = {"x": 2, "y": 4}


@pytest.mark.parametrize(
    ("parts", "expected"),
    [
        ([AxisPart("x")], [(0, 4), (1, 5), (2, 6), (3, 7)]),
        ([AxisPart("y")], [(0, 1, 2, 3), (4, 5, 6, 7)]),
        ([AxisPart("x"), AxisPart("y")], [(0, 1, 2, 3, 4, 5, 6, 7)]),
        ([AxisPart("y"), AxisPart("x")], [(0, 4, 1, 5, 2, 6, 3, 7)]),
        # y = 2 * 2: its major half varies by 2, its minor half by 1.
        ([AxisPart("y", 1, 2)], [(0, 2), (1, 3), (4, 6), (5, 7)]),
        ([AxisPart("y", 2, 2)], [(0, 1), (2, 3), (4, 5), (6, 7)]),
        ([AxisPart("y", 2, 2), AxisPart("y", 1, 2)], [(0, 2, 1, 3), (4, 6, 5, 7)]),
        ([], [(0,), (1,), (2,), (3,), (4,), (5,), (6,), (7,)]),
    ],
)
def test_mesh_axes_give_groups_that_differ_in_them(
    parts: list[AxisPart], expected: list[tuple[int, ...]]
) -> None:
    assert mesh_axes_groups(MESH, parts) == expected


def test_device_ids_stand_in_row_major_order_of_the_mesh() -> None:
    groups = mesh_axes_groups({"x": 2, "y": 2}, [AxisPart("y")], [3, 2, 1, 0])
    assert groups == [(3, 2), (1, 0)]


@pytest.mark.parametrize(
    ("parts", "device_ids", "message"),
    [
        ([AxisPart("z")], None, "no mesh axis 'z'"),
        ([AxisPart("y", 1, 3)], None, "mesh axis 'y' of size 4 cannot be divided at"),
        ([AxisPart("y", 2, 4)], None, "mesh axis 'y' of size 4 cannot be divided at"),
        ([AxisPart("y"), AxisPart("y", 2, 2)], None, "a part of a mesh axis occurs twice"),
        ([AxisPart("y")], [0, 1], "a mesh of 8 devices has 2 device ids"),
    ],
)
def test_parts_that_do_not_fit_are_rejected(
    parts: list[AxisPart], device_ids: list[int] | None, message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        mesh_axes_groups(MESH, parts, device_ids)
