import type { Network, PostAnswer, PostRequest } from '@querypost/server/ports'
import type { Chance } from '../chance.ts'
import type { Coverage } from '../coverage.ts'
import type { Machine } from './machine.ts'
import { answerName } from './names.ts'
import type { Observatory } from './observatory.ts'
import type { EndpointPlan } from './plan.ts'
import type { Timeline } from './timeline.ts'
import type { PortFaults } from './port-faults.ts'
import { react, type Reaction } from './receivers.ts'
import type { Scheduler } from './scheduler.ts'

/** The network of one machine: host names and receivers that behave as planned at each moment. */
export function makeNetworkPort(options: {
  machine: Machine
  scheduler: Scheduler
  chance: Chance
  coverage: Coverage
  faults: PortFaults
  observatory: Observatory
  endpoints: EndpointPlan[]
}): Network {
  const { machine, scheduler, chance, coverage, faults, observatory } = options

  function nameOf(hostname: string) {
    const plan = options.endpoints.find((endpoint) => endpoint.hostname === hostname)
    const kind = plan ? current(plan.name, scheduler.nowMs()) : 'public'
    coverage.count(`name: ${kind}`)
    return answerName(kind, chance)
  }

  function reactionOf(url: URL): Reaction {
    const plan = options.endpoints.find((endpoint) => endpoint.url === url.href)
    const kind = plan ? current(plan.receiver, scheduler.nowMs()) : 'healthy'
    coverage.count(`receiver: ${kind}`)
    return react(kind, chance)
  }

  return {
    resolve(hostname, signal) {
      return new Promise((resolve, reject) => {
        if (machine.isDead()) return
        const fault = faults.meet(machine, 'network.resolve')
        if (fault.crash === 'before') return machine.die()
        observatory.nameAsked(machine, signal)
        const { afterMs, answer } = nameOf(hostname)
        let isOver = false
        let stopListening: (() => void) | undefined
        const settle = (act: () => void, addresses?: string[]) => {
          if (isOver) return
          isOver = true
          stopListening?.()
          observatory.nameAnswered(machine, hostname, { signal, ...(addresses && { addresses }) })
          act()
        }
        const abort = () => settle(() => reject(new Error('aborted')))
        if (signal.aborted) return abort()
        stopListening = machine.onAbort(signal, abort)
        if (afterMs !== null) {
          machine.later(afterMs, () =>
            answer instanceof Error ? settle(() => reject(answer)) : settle(() => resolve(answer), answer),
          )
        }
        if (fault.crash === 'after') machine.die()
      })
    },

    post(request) {
      return new Promise((resolve) => {
        const { signal } = request
        if (machine.isDead()) return
        if (signal.aborted) return resolve(answerOf(request, aborted))
        const wallMs = machine.processNow().getTime()
        const fault = faults.meet(machine, 'network.post')
        if (fault.crash === 'before') return machine.die()
        const sent = observatory.requested(machine, request, wallMs)
        let isOver = false
        let stopListening: (() => void) | undefined
        const finish = (answer: PostAnswer) => {
          if (isOver) return
          isOver = true
          stopListening?.()
          observatory.answered(sent, answer)
          resolve(answer)
        }
        const abort = () => finish(answerOf(request, aborted))
        stopListening = machine.onAbort(signal, abort)
        scheduler.at(scheduler.nowMs() + chance.between(1, 90), () => {
          // If the sender gave up or died during the request, it may or may not arrive.
          if ((isOver || machine.isDead()) && chance.isTrue(0.5)) return
          const reaction = reactionOf(request.url)
          if (reaction.isReached) observatory.arrived(sent)
          if (reaction.afterMs !== null) machine.later(reaction.afterMs, () => finish(answerOf(request, reaction.answer)))
        })
        if (fault.crash === 'after') machine.die()
      })
    },
    async close() {},
  }
}

/** Redirect targets, for broken engines that follow them. */
export const locations = new WeakMap<PostAnswer, string>()

const aborted: Reaction['answer'] = { status: null, failure: { kind: 'aborted' }, body: '' }

function answerOf(request: PostRequest, { status, failure, body, location }: Reaction['answer']): PostAnswer {
  const answer: PostAnswer = {
    address: request.addresses[0] ?? null,
    phases: { connectMs: 1, tlsMs: 2, responseMs: status === null ? null : 3, bodyMs: status === null ? null : 1 },
    status,
    response: Buffer.from(body).subarray(0, request.responseKeptBytes),
    failure,
  }
  if (location !== undefined) locations.set(answer, location)
  return answer
}

function current<Kind>(timeline: Timeline<Kind>, nowMs: number): Kind {
  return timeline.findLast(({ fromMs }) => fromMs <= nowMs)!.kind
}
