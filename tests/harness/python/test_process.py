"""The process of a rank, before it has imported anything large."""

from ddpbench_arms.process import newest


def test_the_newer_libstdcxx_is_taken(tmp_path):
    for release in ("6.0.30", "6.0.9"):
        (tmp_path / release).mkdir()
        (tmp_path / release / f"libstdc++.so.{release}").touch()
        (tmp_path / release / "libstdc++.so.6").symlink_to(f"libstdc++.so.{release}")
    newer, older, missing = (tmp_path / release / "libstdc++.so.6" for release in ("6.0.30", "6.0.9", "none"))
    assert newest([older, newer, missing]) == newer
    assert newest([missing, older]) == older
    assert newest([missing]) is None
