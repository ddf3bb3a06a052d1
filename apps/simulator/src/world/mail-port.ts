import { type Mail, MailError } from '@querypost/server/connections'
import type { PortOptions } from './engine-port.ts'
import type { ObservedSend } from './observed-work.ts'

/** The mail server: accepts e-mails, is slow, rejects them temporarily or permanently, hangs, or loses its response. */
export function makeMailPort(options: PortOptions & { trace?: ((line: string) => void) | undefined }): Mail {
  const { machine, scheduler, chance, coverage, faults, work } = options

  return {
    send(email, signal) {
      return new Promise((resolve, reject) => {
        if (machine.isDead()) return
        const fault = faults.meet(machine, 'mail.send')
        if (fault.crash === 'before') return machine.die()
        const send: ObservedSend = {
          machine,
          attemptNumber: work.emailClaims.get(email.id)?.attemptNumber ?? 0,
          startedMs: scheduler.nowMs(),
          takenMs: undefined,
          endedMs: undefined,
          isAnswerLost: false,
          outcome: undefined,
        }
        work.sends.set(email.id, [...(work.sends.get(email.id) ?? []), send])
        const kind = work.plan.mailServer.findLast(({ fromMs }) => fromMs <= scheduler.nowMs())!.kind
        coverage.count(`mail server: ${kind}`)
        options.trace?.(`${machine.id} sends ${email.id}: ${kind}`)
        let stopListening: (() => void) | undefined
        const settle = (act: () => void) => {
          if (send.endedMs !== undefined) return
          send.endedMs = scheduler.nowMs()
          stopListening?.()
          act()
        }
        const giveUp = () => settle(() => reject(new MailError('Sending took too long or was interrupted.', false)))
        if (signal.aborted) return giveUp()
        stopListening = machine.onAbort(signal, giveUp)
        const takes = kind === 'takes' || kind === 'slow' || kind === 'loses the answer'
        const afterMs = kind === 'slow' ? chance.between(5_000, 70_000) : chance.between(20, 800)
        scheduler.at(scheduler.nowMs() + afterMs, () => {
          // If the sender gave up or died during the transfer, the e-mail may or may not be accepted.
          const isSenderGone = machine.isDead() || send.endedMs !== undefined
          if (kind === 'hangs' || (isSenderGone && chance.isTrue(0.5))) return
          if (takes) send.takenMs = scheduler.nowMs()
          if (kind === 'loses the answer') send.isAnswerLost = true
          if (isSenderGone || send.isAnswerLost) return
          machine.later(chance.between(1, 50), () =>
            settle(() => {
              send.outcome = takes ? 'taken' : kind === 'rejects permanently' ? 'rejected permanently' : 'rejected temporarily'
              if (takes) resolve()
              else reject(new MailError('550 no', kind === 'rejects permanently'))
            }),
          )
        })
        if (fault.crash === 'after') machine.die()
      })
    },
    async close() {},
  }
}
