import type { ClaimedSlackQuestion } from '../../model/slack-question.ts'
import type { Random } from '../../ports/random.ts'
import { asViewer } from '../../store/access/viewer.ts'
import { viewerOf, withAccess } from '../access/read-access.ts'
import { channelSecretContext } from '../channels/channel-secret.ts'
import type { SlackApiDeps } from '../channels/slack/slack-api.ts'
import { readSlackSecret } from '../channels/slack/slack-secret.ts'
import type { Sealer } from '../sealing.ts'
import type { SlackQuestionPorts } from './advance-question.ts'
import { askInThread } from './ask-in-thread.ts'
import { makeFindAsker } from './find-asker.ts'
import { readAnswer, type ReadAnswerDeps } from './read-answer.ts'
import { sayInSlack } from './say-in-slack.ts'

export type SlackQuestionPortDeps = ReadAnswerDeps & SlackApiDeps & { random: Random; sealer: Sealer }

export function makeSlackQuestionPorts(deps: SlackQuestionPortDeps): SlackQuestionPorts {
  const findAsker = makeFindAsker(deps)
  const tokenOf = ({ channelId, sealedSecret }: ClaimedSlackQuestion) =>
    readSlackSecret(deps.sealer.open(sealedSecret!, channelSecretContext(channelId))).token
  return {
    findAsker: (question, signal) => findAsker(question, tokenOf(question), signal),
    async ask(question, asker) {
      const caller = await withAccess(deps.db, asker)
      return asViewer(viewerOf(caller), () => askInThread(deps, question, caller))
    },
    readAnswer: (question) => readAnswer(deps, question),
    say: (question, reply, signal) => {
      const { conversation, threadTs, replyTs } = question
      return sayInSlack(deps, { token: tokenOf(question), conversation, threadTs, replyTs }, reply, signal)
    },
  }
}
