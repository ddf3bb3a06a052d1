import { useMutation, useQueryClient } from '@tanstack/react-query'
import { askInChat, type Chat, chatListKey, chatOptions } from '../../api/chats.ts'
import { navigate } from '../../location.tsx'
import { paths } from '../../paths.ts'

/** Asks questions in a chat and shows the path of the new question, which is the newest. */
export function useAsking(chat: Chat) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (question: { text: string; follows: number | null }) => askInChat(chat.shortId, question),
    onSuccess: (answer) => {
      const { queryKey } = chatOptions(chat.shortId)
      // The event stream may have delivered more by now. Its position is the revision in the cache, so an older chat must not replace it.
      client.setQueryData<Chat>(queryKey, (known) => (known && known.revision > answer.revision ? known : answer))
      void client.invalidateQueries({ queryKey: chatListKey })
      navigate(paths.chat(chat.shortId), { replace: true })
    },
  })
}
