import org.codelibs.opensearch.runner.OpenSearchRunner;

/**
 * One node of the test cluster in a process of its own, so that a kill is a kill.
 * Arguments: folder, number of the node (1..), HTTP port, transport ports of all nodes, comma-separated.
 */
public class StoreNode {
  public static void main(String[] arguments) throws Exception {
    String folder = arguments[0];
    int number = Integer.parseInt(arguments[1]);
    int httpPort = Integer.parseInt(arguments[2]);
    String[] transportPorts = arguments[3].split(",");
    String[] seeds = new String[transportPorts.length];
    String[] names = new String[transportPorts.length];
    for (int at = 0; at < seeds.length; at++) {
      seeds[at] = "127.0.0.1:" + transportPorts[at];
      names[at] = "Node " + (at + 1);
    }
    OpenSearchRunner runner = new OpenSearchRunner();
    runner.onBuild((ignored, settings) -> {
      settings.put("node.name", "Node " + number);
      settings.put("network.host", "127.0.0.1");
      settings.put("http.port", httpPort);
      settings.put("transport.port", transportPorts[number - 1]);
      settings.put("discovery.type", "zen");
      settings.putList("discovery.seed_hosts", seeds);
      settings.putList("cluster.initial_cluster_manager_nodes", names);
      settings.put("cluster.routing.allocation.disk.threshold_enabled", false);
      settings.put("node.processors", 2);
    });
    runner.build(OpenSearchRunner.newConfigs()
        .clusterName("loadout-store-test")
        .basePath(folder)
        .numOfNode(1)
        .useLogger());
    System.out.println("node " + number + " is up");
    // the parent's end of the pipe closes when it goes, however it goes
    while (System.in.read() >= 0) {
    }
    Runtime.getRuntime().halt(0);
  }
}
