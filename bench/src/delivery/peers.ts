import path from 'node:path'
import { type Measurement, ratioGoal } from '../report.ts'
import { takeTurns } from '../take-turns.ts'
import type { BenchEndpoint } from './endpoints.ts'
import { figureOf, measureTurn, type Turn } from './measure-sender.ts'
import { bullmqFile } from './senders/bullmq.ts'
import { startSender } from './senders/child-sender.ts'
import { graphileWorkerFile } from './senders/graphile-worker.ts'
import { startOurWorker } from './senders/our-worker.ts'
import { installPeers, peerVersion } from './senders/peers.ts'
import { pgBossFile } from './senders/pg-boss.ts'
import { type Fsync, redisVersion, startRedis } from './senders/redis-server.ts'
import type { Sender, Style } from './senders/sender.ts'
import { connectionsEach, coresOf, endpointCount } from './throughput.ts'
import type { World } from './world.ts'

const rounds = 3
/** More than can be delivered in a turn. */
const loadCount = 60_000

interface Peer extends Sender {
  what: string
  isGoal: boolean
}

/**
 * Measures the same job on other queues: claim, sign, post on the same connections, done on a 2xx response. Each is one process with as
 * many concurrent jobs as connections, configured for throughput as its documentation recommends. Those on PostgreSQL are also measured
 * with their default configuration.
 */
export async function measurePeers(world: World): Promise<Measurement[]> {
  await installPeers()
  const endpoints = await world.addEndpoints(endpointCount)
  const redis = await redisVersion()
  const peers = [
    await onPostgres(world, { endpoints, name: 'pg-boss', file: pgBossFile, style: 'batched' }),
    await onPostgres(world, { endpoints, name: 'graphile-worker', file: graphileWorkerFile, style: 'batched' }),
    ...(redis ? [await onRedis(world, { endpoints, fsync: 'always', redis })] : []),
    await onPostgres(world, { endpoints, name: 'pg-boss', file: pgBossFile, style: 'plain' }),
    await onPostgres(world, { endpoints, name: 'graphile-worker', file: graphileWorkerFile, style: 'plain' }),
    ...(redis ? [await onRedis(world, { endpoints, fsync: 'everysec', redis })] : []),
  ]
  const ours = await startOurWorker(world, endpoints)
  const turns: Record<string, Turn[]> = await takeTurns(rounds, {
    ours: () => measureTurn(world, ours, loadCount),
    ...Object.fromEntries(peers.map((peer) => [peer.what, () => measureTurn(world, peer, loadCount)])),
  })
  await Promise.all([ours, ...peers].map((sender) => sender.stop()))
  const lines = peers.map((peer) => line({ peer, ours: turns['ours']!, theirs: turns[peer.what]! }))
  return redis ? lines : [...lines, notMeasured(turns['ours']!)]
}

function line({ peer, ours, theirs }: { peer: Peer; ours: Turn[]; theirs: Turn[] }): Measurement {
  const perSecond = figureOf(ours, (turn) => turn.perSecond)
  const ceiling = { what: peer.what, value: figureOf(theirs, (turn) => turn.perSecond) }
  return {
    what: 'the same job on another queue',
    note:
      `CPU seconds per 1,000 of sender and store: ours ${secondsOf(ours)}, theirs ${secondsOf(theirs)}; ` +
      `cores busy with theirs: ${coresOf(theirs)}`,
    unit: 'deliveries/s',
    ours: perSecond,
    ceiling,
    ...(peer.isGoal && { goal: ratioGoal({ ours: perSecond, ceiling: ceiling.value, atLeast: 3 }) }),
  }
}

const secondsOf = (turns: Turn[]) => figureOf(turns, (turn) => turn.senderSeconds + turn.storeSeconds).toFixed(3)

const notMeasured = (ours: Turn[]): Measurement => ({
  what: 'the same job on BullMQ',
  note: 'not measured: there is no redis-server; apt-get install redis-server',
  unit: 'deliveries/s',
  ours: figureOf(ours, (turn) => turn.perSecond),
})

async function onPostgres(
  world: World,
  options: { endpoints: BenchEndpoint[]; name: 'pg-boss' | 'graphile-worker'; file: URL; style: Style },
): Promise<Peer> {
  const { endpoints, name, style } = options
  const database = `${name.replace('-', '_')}_${style}`
  await world.sql.query(`create database ${database}`)
  const sender = await startSender(options.file, {
    endpoints,
    connectionsEach,
    authority: world.authority,
    storeUrl: world.postgres.urlOf(database),
    style,
    store: { pid: world.postgres.pid, isFamily: true },
  })
  const isGoal = style === 'batched'
  return { ...sender, isGoal, what: `${name} ${peerVersion(name)}${isGoal ? '' : ', without batches'}` }
}

async function onRedis(
  world: World,
  { endpoints, fsync, redis }: { endpoints: BenchEndpoint[]; fsync: Fsync; redis: string },
): Promise<Peer> {
  const server = await startRedis({ folder: path.join(world.folder, `redis-${fsync}`), fsync })
  world.atEnd(server.stop)
  const sender = await startSender(bullmqFile, {
    endpoints,
    connectionsEach,
    authority: world.authority,
    storeUrl: server.url,
    store: { pid: server.pid, isFamily: false },
  })
  const what = `BullMQ ${peerVersion('bullmq')} on Redis ${redis}, appendfsync ${fsync}`
  return { ...sender, isGoal: fsync === 'always', what }
}
