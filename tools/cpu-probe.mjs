// Preloaded into a measured server with --import: the only exact way to learn another process's
// CPU time on every system. It answers over the channel of the parent and costs nothing between.
process.on('message', (message) => {
  if (message !== 'usage') return;
  const { user, system } = process.cpuUsage();
  const MIB = 1024 * 1024;
  process.send({
    cpuMs: (user + system) / 1000,
    rssMib: process.memoryUsage.rss() / MIB,
    peakRssMib: process.resourceUsage().maxRSS / 1024,
  });
});
// The server decides when it is done, not the channel.
process.channel?.unref();
