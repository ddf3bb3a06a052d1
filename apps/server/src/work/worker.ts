import { abortAfter, type Clock, startStopwatch } from '../ports/clock.ts'
import type { Log } from '../ports/log.ts'
import { inStartedSpan, type StartedSpan, type Tracer } from '../ports/telemetry/spans.ts'
import { StoreUnavailable } from '../store/store-unavailable.ts'
import type { OnWake, Wakeups } from '../store/wakeups.ts'
import type { Ended, Interruption, Item, WorkKind } from './kind.ts'
import { makeRecorder } from './recorder.ts'
import { repeatTask, type RepeatedTask } from './repeat.ts'

/** One worker for one kind of work: claim → carry out → record. `kind.ts` explains the terms. */
export interface Worker {
  start(): void
  /**
   * Stops claiming and gives the items in hand `graceMs` to end. Then it interrupts them and records their outcomes. It always
   * resolves: outcomes that cannot be recorded are dropped, and their leases expire.
   */
  stop(options: { graceMs: number }): Promise<void>
}

export interface WorkerDeps {
  clock: Clock
  log: Log
  wakeups: Pick<Wakeups, 'listen'>
  workerId: string
  /** Left out if there are no traces. */
  tracer?: Tracer | undefined
  /** Whether other processes use the same store. A process that has just connected does not know yet which of them are alive. */
  isStoreShared?: boolean | undefined
}

/** Recording outcomes gets at least this long, even when the grace period is used up. */
const recordWithinMs = 1_000

/** Work that another process has created and looks for itself is left to it for this long. Otherwise every process would look for everything. */
const leaveToOthersMs = 20

interface InHand<Claimed extends Item> {
  item: Claimed
  isAtWork: boolean
  /** Others cannot see the lease before its claim is committed, so it cannot be renewed either. */
  isCommitted: boolean
  span: StartedSpan | undefined
  /** By the monotonic clock, counted from before the store was called, so the store's lease lasts at least until then. */
  leaseUntilMs: number
  interrupt(why: Interruption): void
}

export function makeWorker<Claimed extends Item, Outcome>(kind: WorkKind<Claimed, Outcome>, deps: WorkerDeps): Worker {
  const { clock, log, workerId } = deps
  const { renewal, stops } = kind
  const inHand = new Set<InHand<Claimed>>()
  const atWork = new Set<Promise<void>>()
  /** Aborts when a stop no longer waits for interrupted items. */
  const closing = new AbortController()
  const listenings: (() => void)[] = []
  let isStopping = false
  /** Whether more work may be due than there was room for. */
  let isMoreDue = false
  let isClaiming = false
  /** Whether an item has ended since the claim in progress began, which doesn't know about its room. */
  let hasNewRoom = false
  /** Since when the store has answered without failure, by the monotonic clock; undefined while it is unavailable. */
  let inContactSinceMs: number | undefined = deps.isStoreShared ? undefined : -Infinity

  /** Wraps every call to the store, to know whether it is available: see `canJudgeOthers`. */
  async function callStore<Result>(call: () => Promise<Result>): Promise<Result> {
    try {
      const result = await call()
      inContactSinceMs ??= clock.monotonicMs()
      return result
    } catch (error) {
      if (error instanceof StoreUnavailable) inContactSinceMs = undefined
      throw error
    }
  }

  const recorder = makeRecorder<Claimed, Outcome>({
    clock,
    log,
    name: kind.name,
    ...kind.recording,
    write: (batch) => callStore(() => inSpanOf(batch, () => kind.record(batch, { workerId }))),
    onRecorded(ended, isRecorded) {
      const followUp = settle(ended, isRecorded).finally(() => followUps.delete(followUp))
      followUps.add(followUp)
    },
  })
  const followUps = new Set<Promise<void>>()
  const waitingToBeRecorded = new Map<Claimed, InHand<Claimed>>()

  /** The events that an outcome publishes belong to the trace of its item. A batch of several belongs to no trace. */
  function inSpanOf<Result>([first, ...others]: Ended<Claimed, Outcome>[], work: () => Result): Result {
    const span = first && others.length === 0 ? waitingToBeRecorded.get(first.item)?.span : undefined
    return span ? span.run(work) : work()
  }

  async function claimWhileThereIsRoom() {
    for (;;) {
      // Record first. Otherwise work that is done, but whose lease expired during an outage of the store, would be claimed and redone.
      await recorder.catchUp()
      if (isStopping) return
      isMoreDue = true
      const count = Math.min(kind.claimMax, kind.inHandMax - inHand.size)
      if (count <= 0) return
      const claimedMs = clock.monotonicMs()
      const sinceClaimMs = startStopwatch(clock)
      const { items, next, againInMs } = await claim(count)
      for (const item of items) startItem(item, { leaseUntilMs: claimedMs + kind.leaseMs, sinceClaimMs })
      isMoreDue = next !== 'when_woken'
      if (againInMs !== undefined) claimLater(againInMs)
      if (next === 'when_woken' || (next === 'with_room' && !hasNewRoom)) return
    }
  }

  async function claim(count: number) {
    isClaiming = true
    hasNewRoom = false
    try {
      return await callStore(() => kind.claim({ workerId, leaseMs: kind.leaseMs, count, atWork: itemsAtWork }))
    } finally {
      isClaiming = false
    }
  }

  /** While a claim is in progress, its answer decides whether the room is needed: most claims get everything that is due. */
  function noteRoom() {
    if (isClaiming) hasNewRoom = true
    else if (isMoreDue) claiming.look()
  }

  /** The earliest time that a claim has asked for, by the monotonic clock. */
  let claimAtMs = Infinity
  function claimLater(afterMs: number) {
    const atMs = clock.monotonicMs() + afterMs
    if (claimAtMs <= atMs) return
    claimAtMs = atMs
    void clock.sleep(afterMs, closing.signal).then(() => {
      if (claimAtMs === atMs) claimAtMs = Infinity
      claiming.look()
    })
  }

  function* itemsOf(isWanted: (held: InHand<Claimed>) => boolean) {
    for (const held of inHand) if (isWanted(held)) yield held.item
  }
  const itemsAtWork = () => [...itemsOf(({ isAtWork }) => isAtWork)]

  function startItem(item: Claimed, claimed: { leaseUntilMs: number; sinceClaimMs(): number }) {
    const abort = new AbortController()
    const interrupted = Promise.withResolvers<Interruption>()
    let interruption: Interruption | undefined
    /** Ends the wait for an interrupted item once it has returned. */
    let returned: AbortController | undefined
    const held: InHand<Claimed> = {
      item,
      isAtWork: true,
      isCommitted: item.committed === undefined,
      span: deps.tracer?.start({
        name: kind.name,
        kind: 'consumer',
        parent: item.traceparent,
        attributes: { 'querypost.work.id': item.id },
      }),
      leaseUntilMs: claimed.leaseUntilMs,
      interrupt(why) {
        if (interruption || !held.isAtWork) return
        interruption = why
        abort.abort()
        interrupted.resolve(why)
      },
    }
    const control = { signal: abort.signal, interruption: () => interruption, sinceClaimMs: claimed.sinceClaimMs }
    inHand.add(held)
    const committed = item.committed?.then(
      () => {
        held.isCommitted = true
      },
      (error: unknown) => {
        log.warn({ err: error, id: item.id }, `${kind.name} dropped: claim not committed`)
        held.interrupt({ kind: 'lease_lost' })
      },
    )
    const work = carryOutAndRecord()
    atWork.add(work)

    async function carryOutAndRecord() {
      const limit = kind.timeLimitSeconds === undefined ? undefined : limitTo(kind.timeLimitSeconds, held)
      let outcome: Outcome | undefined
      try {
        outcome = await Promise.race([carryOutInSpan(), interrupted.promise.then(abandoned)])
      } catch (error) {
        log.error({ err: error, id: item.id }, `${kind.name} failed unexpectedly; waiting for its lease to expire`)
      }
      limit?.cancel()
      returned?.abort('returned')
      await committed
      if (!held.isCommitted) outcome = undefined
      held.isAtWork = false
      // Stops anything that the item left running.
      abort.abort('over')
      atWork.delete(work)
      if (outcome === undefined) drop(held)
      else {
        waitingToBeRecorded.set(item, held)
        recorder.record(item, outcome)
        noteRoom()
      }
    }

    function carryOutInSpan(): Promise<Outcome | undefined> {
      return held.span ? inStartedSpan(held.span, () => kind.carryOut(item, control)) : kind.carryOut(item, control)
    }

    async function abandoned(why: Interruption): Promise<Outcome | undefined> {
      returned = new AbortController()
      await clock.sleep(kind.abandonment.afterMs, AbortSignal.any([closing.signal, returned.signal]))
      if (held.isAtWork) log.warn({ id: item.id, interruption: why.kind }, `${kind.name} ignored its interruption; abandoned`)
      return kind.abandonment.outcomeOf(item, why)
    }
  }

  function limitTo(seconds: number, held: InHand<Claimed>) {
    const limit = abortAfter(clock, seconds * 1000)
    limit.signal.addEventListener('abort', () => held.interrupt({ kind: 'time_limit', seconds }))
    return limit
  }

  async function settle(ended: Ended<Claimed, Outcome>, isRecorded: boolean) {
    const { item } = ended
    if (!isRecorded) log.warn({ id: item.id }, `${kind.name} not recorded: lease lost`)
    drop(waitingToBeRecorded.get(item)!)
    waitingToBeRecorded.delete(item)
    try {
      await kind.onRecorded?.(ended, isRecorded)
    } catch (error) {
      log.error({ err: error, id: item.id }, `${kind.name} follow-up failed`)
    }
  }

  function drop(held: InHand<Claimed>) {
    inHand.delete(held)
    noteRoom()
  }

  async function renewLeases() {
    const held = [...inHand].filter(({ isCommitted }) => isCommitted)
    if (held.length > 0) {
      const leaseUntilMs = clock.monotonicMs() + kind.leaseMs
      const items = held.map(({ item }) => item)
      const renewed = await callStore(() => renewal!.renew({ workerId, leaseMs: kind.leaseMs, items }))
      for (const each of held) {
        if (renewed.has(each.item.id)) each.leaseUntilMs = leaseUntilMs
        else each.interrupt({ kind: 'lease_lost' })
      }
    }
    if (canJudgeOthers()) await callStore(() => renewal!.recover())
  }

  /**
   * Whether an expired lease means that its worker is dead. After an outage of the store every lease may have expired, so live
   * workers first get the time to renew theirs.
   */
  const canJudgeOthers = () =>
    inContactSinceMs !== undefined && clock.monotonicMs() - inContactSinceMs >= 2 * renewal!.everyMs

  /** Does not call the store, which may be what is unavailable. */
  async function interruptExpired() {
    const nowMs = clock.monotonicMs()
    for (const held of inHand) if (held.leaseUntilMs <= nowMs) held.interrupt({ kind: 'lease_lost' })
  }

  async function readStops() {
    const items = itemsAtWork()
    if (items.length === 0) return
    const wanted = new Map((await callStore(() => stops!.read({ workerId, items }))).map((stop) => [stop.id, stop]))
    for (const { item, interrupt } of inHand) {
      const stop = wanted.get(item.id)
      if (stop) interrupt({ kind: 'stopped', userId: stop.userId, by: stop.by })
    }
  }

  const duty = (what: string, everyMs: number, act: () => Promise<void>) => repeatTask({ what, everyMs, act, clock, log })
  const claiming = duty(`claim ${kind.name} items`, kind.lookEveryMs, claimWhileThereIsRoom)
  const stopping = stops && duty(`look for stopped ${kind.name} items`, stops.everyMs, readStops)
  const otherTasks = (kind.duties ?? []).map(({ what, everyMs, act }) =>
    duty(what, everyMs, async () => {
      if ((await callStore(act)) === 'claim') claiming.look()
    }),
  )
  const leaseTasks: RepeatedTask[] = renewal
    ? [
        duty(`renew ${kind.name} leases`, renewal.everyMs, renewLeases),
        duty(`check ${kind.name} leases`, kind.leaseMs / 6, interruptExpired),
      ]
    : []

  const onWake: OnWake = ({ isTaken }) => (isTaken ? claimLater(leaveToOthersMs) : claiming.look())

  return {
    start() {
      listenings.push(deps.wakeups.listen(kind.channel, onWake, { takesWork: true }))
      if (stopping) listenings.push(deps.wakeups.listen(stops.channel, stopping.look))
      kind.duties?.forEach(({ channel }, index) => {
        if (channel) listenings.push(deps.wakeups.listen(channel, otherTasks[index]!.look))
      })
      for (const each of [claiming, ...(stopping ? [stopping] : []), ...otherTasks, ...leaseTasks]) each.start()
    },
    async stop({ graceMs }) {
      isStopping = true
      for (const stopListening of listenings) stopListening()
      await Promise.all([claiming, ...(stopping ? [stopping] : []), ...otherTasks].map((each) => each.stop()))
      const startedMs = clock.monotonicMs()
      const ended = new AbortController()
      const allEnded = (async () => {
        while (atWork.size > 0) await Promise.all(atWork)
        ended.abort()
      })()
      if (!kind.isInterruptedAtOnce) await clock.sleep(graceMs, ended.signal)
      for (const { interrupt } of inHand) interrupt({ kind: 'shutdown' })
      await clock.sleep(kind.isInterruptedAtOnce ? Math.max(graceMs, 1000) : kind.abandonment.afterMs, ended.signal)
      closing.abort()
      await allEnded
      const leftMs = graceMs - (clock.monotonicMs() - startedMs)
      await recorder.stop({ graceMs: Math.max(leftMs, recordWithinMs) })
      const followedUp = new AbortController()
      void Promise.all(followUps).then(() => followedUp.abort())
      await clock.sleep(recordWithinMs, followedUp.signal)
      await Promise.all(leaseTasks.map((each) => each.stop()))
    },
  }
}
