"""A Ray cluster of two nodes on this machine, in a process of its own: `python -m tests.ray_cluster`.

It writes its address in one line, and ends when its input does. Each node has one core, so that two judges are on two
nodes.
"""

import sys


def main() -> None:
    from ray.cluster_utils import Cluster

    node = {"num_cpus": 1, "object_store_memory": 80_000_000, "node_ip_address": "127.0.0.1"}
    head = {**node, "include_dashboard": False}
    try:
        cluster = Cluster(initialize_head=True, head_node_args=head)
    except Exception:  # noqa: BLE001 - Ray waits half a minute for a node, too short for a busy machine; it raises no less
        cluster = Cluster(initialize_head=True, head_node_args=head)
    try:
        cluster.add_node(**node)
        print(f"address {cluster.address}", flush=True)
        sys.stdin.read()
    finally:
        cluster.shutdown()


if __name__ == "__main__":
    main()
