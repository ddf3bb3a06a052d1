/**
 * People ask for more than answers: "…and e-mail it to Bob". Text that asks for something that cannot be done from there gets an
 * explanation at once, instead of an agent that fails, or that claims to have done it.
 *
 * Words such as *e-mail*, *post* and *delete* are far more often about the data ("e-mail opt-ins by week", "orders posted in March"). So a
 * *request* is recognized only as an order: a verb where an order can begin, followed by something to act on. When in doubt, the text is
 * a question about data.
 */
export type RequestContext = 'chat' | 'automation'

export type RequestKind = 'email' | 'message' | 'change_data' | 'dashboard' | 'file' | 'schedule'

export interface UnsupportedRequest {
  kind: RequestKind
  /** For people: what is not possible, and what to do instead. */
  explanation: string
}

export interface UnsupportedRequests {
  /** At most one of each kind, in the order of the text. */
  requests: UnsupportedRequest[]
  /** Whether the text asks for anything besides. */
  asksForMore: boolean
}

/**
 * `context` is where the text is entered: a question in a chat, or the description of an automation, which can have a schedule and send
 * reports by e-mail, Slack and Teams, with files.
 */
export function findUnsupportedRequests(text: string, context: RequestContext): UnsupportedRequests {
  const kinds = new Set<RequestKind>()
  const rest: string[] = []
  for (const part of text.slice(0, readCharacters).split(/(?<=[.!?;])\s+|\n+/).flatMap(partsOf)) {
    const found = kindsOf(part, context)
    for (const kind of found) kinds.add(kind)
    rest.push(found.length === 0 ? part : objectOf(part, found))
  }
  return {
    requests: [...kinds].map((kind) => ({ kind, explanation: explanations[kind][context] })),
    asksForMore: kinds.size === 0 || text.length > readCharacters || hasContent(rest.join(' ')),
  }
}

/** Longer texts are descriptions; an order among their first words is enough to find. */
const readCharacters = 4_000

/** Where an order can begin within a sentence, besides its start. */
const conjunction = /,?\s+(?:and|then|but|or)\s+(?:(?:then|also|please|afterwards)\s+)*|,\s+(?:then\s+|also\s+|please\s+)?|\s+-\s+|:\s+/gi

/** What people put before an order. */
const politeness =
  /^(?:(?:hi|hello|hey|ok|okay|now|then|also|and|please|kindly|just|thanks|thank you)\b[\s,!]*|(?:can|could|would|will)\s+you\s+(?:please\s+)?|(?:i|we)\s+(?:want|need|(?:woul|’d|'d)?d?\s*like)\s+(?:you\s+)?to\s+|(?:i|we)['’]d\s+like\s+(?:you\s+)?to\s+|make\s+sure\s+(?:to|you)\s+|(?:don['’]t|do\s+not)\s+forget\s+to\s+|go\s+ahead\s+and\s+|help\s+me\s+(?:to\s+)?|let['’]s\s+|be\s+so\s+kind\s+(?:as\s+)?to\s+)+/i

/** After these words, a verb belongs to the subject of the sentence: "users who sign in and delete the app". */
const relative = /\b(?:who|which|that|whose|where|when|while|if|how\s+(?:many|often|much)|what|why|do|does|did|users?|people)\b/i

/** A sentence in parts, each of which may be an order. */
function partsOf(sentence: string): string[] {
  const parts: string[] = []
  let start = 0
  for (const match of sentence.matchAll(conjunction)) {
    const end = match.index + match[0].length
    const next = sentence.slice(end).replace(politeness, '')
    const before = sentence.slice(start, match.index)
    // A comma or colon ends what the sentence is about; "and" does so only if the order refers back to it.
    const isApart = /^[,:]/.test(match[0]) || !relative.test(before) || /\b(?:it|this|that|them)\b/i.test(firstWords(next))
    if (!orderVerb.test(next) || !isApart) continue
    parts.push(before)
    start = end
  }
  return [...parts, sentence.slice(start)]
}

const firstWords = (text: string) => text.split(/\s+/, 3).join(' ')

const orderVerb =
  /^(?:e-?mail|mail|send|forward|post|share|push|publish|slack|text|sms|dm|ping|call|notify|alert|warn|remind|message|delete|remove|drop|truncate|erase|purge|wipe|update|change|set|correct|overwrite|insert|mark|cancel|refund|ban|deactivate|create|build|make|design|put|pin|add|save|export|download|convert|give|generate|prepare|copy|schedule|repeat|automate|run|refresh|let)\b/i

/** What an order acts on begins with one of these. */
const object = String.raw`(?:it|this|that|these|those|them|the|a|an|all|every|everything|everyone|everybody|each|any|me|us|him|her|my|our|your|their|his|both|results?|answers?)\b`
const someone = String.raw`(?:me|us|him|her|them|everyone|everybody|(?:the|my|our|your)\s+(?:\w+\s+)?(?:team|boss|manager|ceo|cfo|colleagues?|customers?|clients?|department|board|group|office))\b`
const messenger = String.raw`(?:slack|teams|discord|telegram|whatsapp|signal|sms|text|phone|#[\w-]+)`
const channel = String.raw`(?:(?:the|our|my|your|a)\s+)?(?:[\w-]+\s+)?${messenger}`
const often = String.raw`(?:every\s+(?:\d+\s+)?(?:minute|hour|day|morning|evening|night|week|weekday|month|quarter|year|monday|tuesday|wednesday|thursday|friday|saturday|sunday)s?|each\s+(?:day|morning|evening|week|month|quarter|monday|tuesday|wednesday|thursday|friday|saturday|sunday)|hourly|daily|weekly|monthly|quarterly|regularly|automatically|once\s+an?\s+(?:hour|day|week|month))`
const dataNoun = String.raw`(?:rows?|records?|entr(?:y|ies)|duplicates?|users?|customers?|orders?|accounts?|invoices?|products?|subscriptions?|tickets?|leads?|data|tables?|columns?|databases?|schemas?)`
const fileFormat = String.raw`(?:excel|xlsx?|(?:google\s+)?(?:spread)?sheets?|csv|pdf|power\s?point|pptx?|word|docx?|slides?|slide\s+deck|presentation|keynote|notion|confluence)`
const order = (source: string) => new RegExp(`^${source}`, 'i')

const patterns: Record<RequestKind, RegExp[]> = {
  email: [
    order(String.raw`(?:e-?mail|mail)\s+(?:${object}|\S+@\S+)`),
    order(String.raw`(?:e-?mail|mail)\s+[a-z]+\s+(?:the|a|an|this|that|it|about)\b`),
    order(String.raw`(?:send|forward|share)\s+${object}.*\b(?:by|via|as|in|through|over|with)\s+(?:an?\s+)?e-?mails?\b`),
    order(String.raw`(?:send|write|shoot)\s+(?:(?:${someone}|[a-z]+)\s+)?(?:an?|the)\s+(?:\w+\s+)?e-?mail\b`),
    order(String.raw`(?:send|forward|share)\s+(?:.*\s)?(?:to|with)\s+\S+@\S+`),
    order(String.raw`(?:send|forward)\s+(?:it|this|that|them|these|those|(?:the|a)\s.*)\s?\bto\s+(?!${channel}\b)(?:${someone}|[a-z]+)`),
    order(String.raw`(?:send|forward)\s+(?:${someone}|[a-z]+)\s+(?:it|this|that|the|a)\b(?!.*\b${messenger}\b)`),
  ],
  message: [
    order(String.raw`(?:post|send|share|push|publish|write|put|drop|forward)\s+${object}.*\b(?:to|in|on|into|via|through|by|over|as)\s+(?:an?\s+)?${channel}\b`),
    order(String.raw`(?:slack|text|sms|dm|ping|call|phone|whatsapp|message)\s+(?:${someone}|(?:it|this|that)\s+to\b|(?:the|my|our)\s+\w+\s+(?:to|in|on)\b)`),
    order(String.raw`(?:send|shoot)\s+(?:(?:${someone}|[a-z]+)\s+)?an?\s+(?:sms|text(?:\s+message)?|dm|(?:slack|teams|discord|whatsapp)\s+message|push\s+notification)\b`),
    order(String.raw`(?:notify|alert|tell|warn|remind|message)\s+${someone}.*\b(?:in|on|via|through|by|over)\s+${channel}\b`),
  ],
  change_data: [
    order(String.raw`(?:delete|erase|purge|wipe)\s+(?:${object}|(?:\w+\s+)?${dataNoun}\b(?!\s+(?:per|by|rate|requests?|events?|over)\b))`),
    order(String.raw`(?:truncate|drop)\s+(?:(?:the|this|that|all)\s+)?(?:[\w."]+\s+)?(?:tables?|columns?|database|schema|view|index)\b`),
    order(String.raw`remove\s+.*\bfrom\s+(?:the|our|this)\s+(?:[\w."]+\s+)?(?:database|table|warehouse|system|crm)\b`),
    order(String.raw`(?:update|change|set|correct|overwrite|edit|modify)\s+.*\bin\s+(?:the|our|this)\s+(?:[\w."]+\s+)?(?:database|table|warehouse|system|crm)\b`),
    order(String.raw`(?:update|change|set|correct|overwrite|edit|modify)\s+(?:the|all|every|his|her|their|our)\s+(?:\w+\s+){0,2}?(?:prices?|status|e-?mail\s+address(?:es)?|address(?:es)?|stock|inventory|quantity|names?|password|role|plan|discount)\s.*\b(?:to|for)\s`),
    order(String.raw`insert\s+.*\binto\b`),
    order(String.raw`add\s+(?:an?\s+)?(?:new\s+)?(?:rows?|records?|customers?|users?|orders?|products?)\b.*\b(?:to|into|in|with|named|called)\b`),
    order(String.raw`(?:create|alter)\s+(?:an?\s+|the\s+)?(?:new\s+)?(?:\w+\s+)?(?:table|view|index|column)\b.*\bin\s+(?:the|our)\s+(?:\w+\s+)?(?:database|warehouse)\b`),
    order(String.raw`mark\s+(?:(?:the|this|that|all|these|those)\s+)?(?:\w+\s+){0,3}as\s+\w+`),
    order(String.raw`(?:cancel|refund|ban|deactivate|suspend)\s+(?:(?:the|this|that|all|these|those|their|his|her)\s|${dataNoun}\s+#?\d)`),
  ],
  dashboard: [
    order(String.raw`(?:create|build|make|design|set\s+up|put\s+together|generate|prepare|give\s+me)\s+(?:(?:me|us)\s+)?(?:an?|the|my|our|some)\s+(?:\w+\s+){0,3}?(?:dash)?boards?\b`),
    order(String.raw`(?:pin|add|save|put)\s+(?:it|this|that|these|them|the)\b.*\b(?:to|on|onto|in)\s+(?:an?|the|my|our)\s+(?:\w+\s+){0,2}?(?:dash)?board\b`),
  ],
  file: [
    order(String.raw`(?:export|download)\s+(?:it|this|that|these|those|them|everything|(?:the|all|my|our)\s)`),
    order(String.raw`(?:save|convert|write|put|dump|copy|turn|send|give|share)\s+${object}.*\b(?:to|as|into|in)\s+(?:an?\s+|the\s+|my\s+|our\s+)?(?:\w+\s+)?${fileFormat}\b`),
    order(String.raw`(?:create|make|generate|build|prepare|give|send)\s+(?:(?:me|us)\s+)?(?:an?|the|some)\s+(?:\w+\s+){0,2}?${fileFormat}\b`),
  ],
  schedule: [
    order(String.raw`(?:schedule|automate)\s+${object}`),
    order(String.raw`(?:repeat|refresh|run|check|update|do|send|e-?mail|mail|post|share|remind|notify|alert|ping|message)\s+(?:${object}|the\s).*?\b${often}\b`),
    order(String.raw`(?:notify|alert|warn|remind|ping|message|e-?mail|text)\s+${someone}.*?\b(?:when(?:ever)?|if|as\s+soon\s+as|once)\b`),
    order(String.raw`let\s+(?:me|us)\s+know\s+(?:when(?:ever)?|as\s+soon\s+as|once)\s.*\b(?:drops?|falls?|exceeds?|goes|rises?|reaches|changes|is\s+(?:below|above|over|under|more|less)|are\s+(?:below|above|over|under|more|less))\b`),
    order(String.raw`(?:create|set\s+up|add|make|build)\s+(?:me\s+)?an?\s+(?:\w+\s+)?(?:alert|(?:daily|weekly|monthly|hourly|scheduled|recurring|automatic|automated|regular)\s+(?:\w+\s+)?(?:report|e-?mail|alert|digest|summary|update|message))\b`),
  ],
}

function kindsOf(part: string, context: RequestContext): RequestKind[] {
  const text = part.trim().replace(politeness, '')
  const kinds = (Object.keys(patterns) as RequestKind[]).filter((kind) => patterns[kind].some((pattern) => pattern.test(text)))
  return context === 'chat' ? kinds : kinds.filter((kind) => !isDoneByAutomations(kind, text))
}

const elsewhere = /\b(?:discord|telegram|whatsapp|signal|sms|phone|push\s+notification|text\s+message)\b|^(?:text|sms|call|phone|whatsapp)\b/i
const attached = /\b(?:excel|xlsx|csv|pdf)\b/i

function isDoneByAutomations(kind: RequestKind, text: string): boolean {
  switch (kind) {
    case 'schedule':
    case 'email':
      return true
    case 'message':
      return !elsewhere.test(text)
    case 'file':
      return attached.test(text)
    case 'change_data':
    case 'dashboard':
      return false
  }
}

/** What an order asks to be sent, saved or shown: "the revenue of May" in "e-mail the revenue of May to Bob". Data to change is no question. */
function objectOf(part: string, kinds: RequestKind[]): string {
  if (kinds.includes('change_data')) return ''
  const [, ...words] = part.trim().replace(politeness, '').split(/\s+/)
  return words
    .join(' ')
    .replace(new RegExp(String.raw`\b${often}\b.*$`, 'i'), '')
    .replace(/\b(?:to|in|on|via|by|through|over|into|as|onto|with)\s.*$/i, '')
    .replaceAll(new RegExp(String.raw`\b(?:${fileFormat}|dashboards?|boards?|e-?mails?|sms|text|slack|alerts?|up|know)\b`, 'gi'), '')
}

const generic =
  /^(?:it|this|that|these|those|them|the|a|an|all|every|everything|everyone|everybody|me|us|him|her|my|our|your|their|his|both|and|then|also|or|but|so|please|thanks|thank|you|hi|hello|hey|ok|okay|now|just|results?|answers?|reports?|charts?|graphs?|tables?|lists?|numbers?|figures?|data|summary|summaries|chat|query|link|links|file|files|message|messages|document|new|nice|daily|weekly|monthly|team|boss|manager|ceo|colleagues?|for|of|from|too|well|here|there|above|can|could|would|will)$/i

const hasContent = (text: string): boolean =>
  text
    .replaceAll(/[^\p{L}\p{N}@#'-]+/gu, ' ')
    .split(' ')
    .some((word) => word !== '' && !generic.test(word))

const explanations: Record<RequestKind, Record<RequestContext, string>> = {
  email: {
    chat: 'I cannot send e-mail from a chat. Choose “Schedule this” to have reports e-mailed, or share the link of this chat: everyone in your organization can open it.',
    automation: '',
  },
  message: {
    chat: 'I cannot send messages to Slack, Teams, Discord or a phone. Share the link of this chat there instead.',
    automation:
      'Automations send reports by e-mail, to Slack, to Microsoft Teams and to webhooks, but not to other messengers or phones. A webhook can pass them on to your own systems.',
  },
  change_data: {
    chat: 'I cannot change or delete data: access to databases is always read-only. Make the change in the system that the data comes from.',
    automation:
      'Automations cannot change or delete data: access to databases is always read-only. Make the change in the system that the data comes from.',
  },
  dashboard: {
    chat: 'I cannot create dashboards from a chat. Save a query of the answer instead: it keeps its chart and gets a permalink.',
    automation: 'Automations cannot create dashboards. Save a query with a chart instead: it gets a permalink.',
  },
  file: {
    chat: 'I cannot create files from a chat. Open the run behind a figure and download its result as CSV, JSON, Parquet or Arrow.',
    automation: 'Automations can attach CSV, Excel, PNG and PDF files to their reports, but not create others. Download the result of a query as JSON, Parquet or Arrow from its page.',
  },
  schedule: {
    chat: 'A chat answers once and cannot repeat itself. Choose “Schedule this” to get the answer regularly.',
    automation: '',
  },
}
