import type { AutomationRunEvent } from '@querypost/server/model'

/** The content of every event in the benchmark. With its envelope it has about 600 bytes, like an event with a short summary. */
export const eventContent: AutomationRunEvent = {
  type: 'automation.run.completed',
  data: {
    automationId: 'auto_4Rk2mVtQ9wZx7LbN3sHc5d',
    automationName: 'Orders of the day, every morning at eight',
    runId: 'arun_8YhKp2vTnM4cXwQ6rJz9Gf',
    summary:
      'Yesterday 1,284 orders came to 96,410.55 EUR, 4.2 % more than the Friday before. Three customers made a fifth ' +
      'of it. Returns stayed at 31. The product that grew most is the travel mug (+38 %), the one that fell most is ' +
      'the desk lamp (-17 %). Nothing is out of stock.',
    chatUrl: 'https://querypost.example.com/chats/7mKp2QxT9v',
    imageUrl: null,
  },
}

/** The envelope as it is sent. */
export function eventBody(eventId: string, createdAt = new Date()): string {
  const { type, data } = eventContent
  return JSON.stringify({ id: eventId, type, createdAt: createdAt.toISOString(), data })
}
