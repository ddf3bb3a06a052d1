import { fraction, type Random } from '@querypost/server/ports'
import type { HealthyReceiver } from './healthy-receiver.ts'
import { untilDisconnected } from './lease-log.ts'
import type { NamedProcess, World } from './world.ts'

/**
 * Kills workers with kill -9 while requests are in flight and replaces each. A seeded random source chooses after how many requests,
 * which worker, and whether all others die too. Returns the names of the killed workers.
 */
export async function killWorkers(options: {
  world: World
  receiver: HealthyReceiver
  workers: NamedProcess[]
  kills: number
  requestsBetween: { min: number; max: number }
  random: Random
}): Promise<string[]> {
  const { world, receiver, random, requestsBetween } = options
  const upTo = (count: number) => Math.floor(fraction(random) * count)
  const killed: string[] = []
  let living = options.workers
  while (killed.length < options.kills) {
    const isAllAtOnce = upTo(4) === 0 && killed.length + living.length <= options.kills
    const victims = isAllAtOnce ? living : [living[upTo(living.length)]!]
    const after = requestsBetween.min + upTo(requestsBetween.max - requestsBetween.min)
    await new Promise<void>((resolve) => {
      receiver.at(receiver.requests.length + after, () => {
        for (const victim of victims) victim.process.kill('SIGKILL')
        resolve()
      })
    })
    for (const victim of victims) {
      await victim.stop('SIGKILL')
      await untilDisconnected(world.store.db, victim.name)
      killed.push(victim.name)
    }
    const others = living.filter((worker) => !victims.includes(worker))
    living = [...others, ...(await Promise.all(victims.map(() => world.startWorker())))]
  }
  return killed
}
