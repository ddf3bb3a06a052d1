import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { findBestReferences } from '../../api/references.ts'
import { rankByWords, wordsToSearch } from './question-words.ts'

const shownMax = 5

/**
 * The saved queries that a question is most likely about. The search requires every word, and few queries have all words of a question.
 * So if none has, the words are searched for one by one.
 */
export const queriesForQuestionOptions = (question: string) => {
  const words = wordsToSearch(question)
  return queryOptions({
    queryKey: ['references', 'for question', words],
    queryFn: async ({ signal }) => {
      const find = async (search: string) => (await findBestReferences({ search, limit: shownMax, signal })).items
      const withAll = await find(words.join(' '))
      if (withAll.length > 0 || words.length < 2) return withAll
      return rankByWords(await Promise.all(words.map(find))).slice(0, shownMax)
    },
    enabled: words.length > 0,
    placeholderData: keepPreviousData,
  })
}
