import type { Clock } from '../../ports/clock.ts'
import type { Random } from '../../ports/random.ts'
import type { Caller } from '../../model/caller.ts'
import { titleMaxLength } from '../../model/reference.ts'
import { type ChatRow, lockChat } from '../../store/chats/read-chats.ts'
import { deleteChat as deleteLockedChat, lockChatWithRuns } from '../../store/chats/remove-chats.ts'
import { renameChat as renameLockedChat } from '../../store/chats/rename-chat.ts'
import type { Db } from '../../store/db.ts'
import { changesOf } from '../audit/changes.ts'
import { recordAction } from '../audit/record-action.ts'
import { checkText } from '../people/check-text.ts'
import { Refusal } from '../refusal.ts'
import { canEdit, type ChatView, getChat, getChatRow, noSuchChat } from './chats.ts'

interface EditDeps {
  db: Db
  clock: Clock
  random: Random
}

export async function renameChat(deps: EditDeps, caller: Caller, input: { shortId: string; title: string }): Promise<ChatView> {
  const chat = await getEditableChat(deps, caller, input.shortId)
  const title = checkText({ path: '/title', text: input.title, maxCharacters: titleMaxLength })
  await deps.db.transaction().execute(async (tx) => {
    const before = await lockChat(tx, chat.id)
    if (!before) return noSuchChat(chat.shortId)
    if (before.title === title) return
    await renameLockedChat(tx, { chatId: chat.id, title, now: deps.clock.now() })
    const details = { changes: changesOf(before, { title }) }
    await recordAction({ ...deps, tx }, caller, { action: 'chat.renamed', subject: subjectOf({ ...chat, title }), details })
  })
  return getChat(deps, caller, input.shortId)
}

/**
 * Deletes a chat with its messages, agent runs and feedback. An agent that is working in it is stopped: its run is gone, so its worker
 * can write nothing more.
 */
export async function deleteChat(deps: EditDeps, caller: Caller, shortId: string): Promise<void> {
  const chat = await getEditableChat(deps, caller, shortId)
  for (;;) {
    const isDeleted = await deps.db.transaction().execute(async (tx) => {
      const locked = await lockChatWithRuns(tx, chat.id)
      if (!locked) return noSuchChat(shortId)
      if (locked === 'changed') return false
      if (locked.isOfAutomation) throw ofAutomation()
      await deleteLockedChat(tx, { chatId: chat.id, now: deps.clock.now() })
      await recordAction({ ...deps, tx }, caller, { action: 'chat.deleted', subject: subjectOf({ ...chat, title: locked.title }) })
      return true
    })
    if (isDeleted) return
  }
}

async function getEditableChat(deps: { db: Db }, caller: Caller, shortId: string): Promise<ChatRow> {
  const chat = await getChatRow(deps, caller, shortId)
  if (canEdit(caller, chat)) return chat
  throw new Refusal('forbidden', 'Only the person who started this chat and organization admins can rename or delete it.')
}

const subjectOf = ({ shortId, title }: Pick<ChatRow, 'shortId' | 'title'>) => ({ type: 'chat', id: shortId, name: title }) as const

const ofAutomation = () =>
  new Refusal(
    'chat_of_automation',
    'This chat records a run of an automation, so it cannot be deleted while the automation exists. Delete the automation first.',
  )
