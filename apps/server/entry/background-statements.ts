export { lockDueAutomations, readDueWatchers } from '../src/store/automations/due-times.ts'
export { claimRun } from '../src/store/runs/claim-run.ts'
export { claimDeliveries } from '../src/store/webhooks/claim-deliveries.ts'
export { sweep } from '../src/workers/sweeper.ts'
