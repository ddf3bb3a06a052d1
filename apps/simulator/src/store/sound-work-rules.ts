import { agentRunAttemptsMax } from '@querypost/server/background-work'
import type { WorkRules } from './memory-work.ts'

export const soundWorkRules: WorkRules = {
  nowOf: ({ now }) => now,
  isHeld: (row, { workerId, leaseNumber }) =>
    row.status === 'running' && row.leaseOwner === workerId && row.leaseNumber === leaseNumber,
  isEndSaidAgain: true,
  renewed: (held) => held,
  areAbandonedRecovered: true,
  attemptsMax: agentRunAttemptsMax,
  countsGivenBackAttempt: false,
  isMessageFenced: true,
  isEventInTheSameTransaction: true,
  lastMessageCount: 1,
  isRunDeletedWithChat: true,
  missed: (count) => count,
  waitsForRunUnderWay: true,
  dueTimeSteps: 'one transaction',
  isLetterFenced: true,
  isLetterLeased: true,
  isArchivingRequestedWithRun: true,
  isArchiveJobFenced: true,
  isReportJobFenced: true,
  isReportDeliveryFenced: true,
  isReportDeliveryLeased: true,
  isReportClaimFair: true,
  isUnsubscriptionHonored: true,
  isConfirmationRequired: true,
  isSlackQuestionFenced: true,
  isSlackQuestionLeased: true,
  isAskedWithItsNote: true,
}
