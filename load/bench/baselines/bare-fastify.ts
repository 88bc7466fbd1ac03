import Fastify from 'fastify';

// Fastify and one route: what every server of this kind pays before its own first line.
const server = Fastify();
server.get('/api/health/live', () => ({ ok: true }));
process.on('SIGTERM', () => void server.close());
await server.listen({ host: process.env.HOST ?? '127.0.0.1', port: Number(process.env.PORT) });
