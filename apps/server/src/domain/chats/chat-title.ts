import { shortened } from '../shortened.ts'

const titleMaxCharacters = 80

/** The title of a chat that starts with this question: its first words, on one line. */
export const titleOfQuestion = (question: string): string => shortened(question.trim().replaceAll(/[\s\p{Cc}]+/gu, ' ').toWellFormed(), titleMaxCharacters)
