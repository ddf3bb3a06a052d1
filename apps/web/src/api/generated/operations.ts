// Made from the schemas of the pages’ routes by `npm run types`; a test keeps it so. Not for editing.

import type {
  AcceptedOffer,
  AcceptedSuggestion,
  AccessMatrix,
  Account,
  AccountSession,
  AddedOrganization,
  AlertChanges,
  ApiKeyEdit,
  AuditAction,
  AuditExportFormat,
  AuditRecord,
  Automation,
  AutomationChange,
  AutomationRun,
  Backtest,
  BacktestRequest,
  Baseline,
  BestReferences,
  Board,
  BoardChange,
  BoardDraft,
  BoardImage,
  BoardResults,
  BoardVersion,
  BoardVersionInFull,
  CatalogTable,
  ChangeFeed,
  Channel,
  ChannelChange,
  ChannelList,
  ChannelTest,
  Chat,
  ChatNews,
  CommentCounts,
  CommentText,
  CommentThread,
  ConfirmationRequest,
  ConnectorTest,
  Conversation,
  CostLimits,
  CreatedApiKey,
  CreatedEndpoint,
  DataConnector,
  DataConnectorChange,
  Database,
  DatabaseInFull,
  DatabaseLevels,
  DateOrder,
  DbtImport,
  DeletedReference,
  Delivery,
  DeliveryCount,
  DeliveryState,
  DigestBacktest,
  DigestBacktestRequest,
  DownloadFormat,
  EarlierMessages,
  EmailTest,
  Embedding,
  Encoding,
  Endpoint,
  EndpointChange,
  EndpointSecrets,
  EndpointSeries,
  Evaluation,
  EvaluationComparison,
  EvaluationInFull,
  EventType,
  ExplainedChange,
  FavoriteItem,
  Feedback,
  FileEngine,
  FileFormat,
  FilePreview,
  Folder,
  FolderChange,
  FolderLevels,
  FoundItem,
  FoundReference,
  FoundTables,
  GitRepository,
  GivenBoardDescription,
  GivenBoardValues,
  GivenDataConnector,
  GivenEndpoint,
  GivenInstructions,
  GivenMetric,
  GivenModelSettings,
  GivenParameter,
  GivenQuestionSet,
  GivenRefresh,
  GivenSuggestion,
  GivenTableDescription,
  GivenTileSizes,
  Group,
  GroupEdit,
  GroupOfKeys,
  HistoryFill,
  HistorySettings,
  HistoryUse,
  ImportedTable,
  Instructions,
  Invitation,
  ItemLineage,
  ItemMarks,
  ItemMoves,
  ItemTaggings,
  ItemTags,
  KeptResult,
  KeyUsePage,
  KnowledgeVersion,
  ListedApiKey,
  ListedAutomationRun,
  ListedBoard,
  ListedChat,
  ListedEndpoint,
  ListedFeedback,
  ListedQuestionSet,
  LoggedDelivery,
  ManagedItem,
  Member,
  MemberAttribute,
  MemberAttributes,
  Metric,
  MetricChange,
  ModelBacktest,
  ModelBudget,
  ModelProvider,
  ModelSummary,
  ModelTest,
  ModelUsageReport,
  NamedItems,
  NewApiKey,
  NewAutomation,
  NewBoard,
  NewChannel,
  NewEmbedSecret,
  NewFolder,
  NewGitRepository,
  NewGroup,
  NewHistoryFill,
  NewInvitation,
  NewPublicLink,
  NewReference,
  NewReport,
  NewRepositorySecret,
  NewThread,
  NotificationPage,
  NotificationSettings,
  OpenedInvitation,
  OptionsOfReference,
  Organization,
  OwnRun,
  PasswordReset,
  PastBoard,
  PastReference,
  PastSummaryRequest,
  PublicLink,
  PublicLinkChange,
  Query,
  QueryEstimate,
  QueryInFull,
  QueryPage,
  QueryResult,
  QueryRun,
  QuestionSet,
  RecipientGroup,
  RecoveryCodes,
  ReferenceChange,
  ReferenceHistorySettings,
  ReferenceInFull,
  ReferenceLineage,
  ReferenceVersion,
  ReferenceVersionInFull,
  ReplayChoice,
  ReplayState,
  Report,
  ReportChange,
  ReportDelivery,
  ReportDeliveryInFull,
  ReportDeliveryState,
  ReportLink,
  ReportPreview,
  ReportPreviewRequest,
  ReportTest,
  ResultComparison,
  Role,
  RowRules,
  RunInFull,
  SavedModelSettings,
  Schedule,
  SchedulePreview,
  SecondFactor,
  SecondFactorOffer,
  SecondStep,
  SeriesPeriod,
  ServerEngine,
  Session,
  ShortResults,
  SignInOptions,
  SlackConnection,
  Snooze,
  StoredTable,
  Suggestion,
  SuggestionState,
  Table,
  TablePreview,
  TableUsers,
  TagsChange,
  TestOutcome,
  ThreadChange,
  TrashItem,
  TriedConnection,
  TriedEvaluation,
  UnfinishedSignIn,
  UnreadCount,
  UrlCheck,
  UsedTag,
  Verification,
  VerifiedQuery,
  ViewedItem,
  Welcome,
} from './schemas.ts'

/** What each operation takes, and what it answers when it succeeds. */
export interface Operations {
  'DELETE /account/sessions/{id}': {
    params: {
      id: string
    }
    answer: null
  }
  'DELETE /api-keys/{id}': {
    params: {
      id: string
    }
    answer: null
  }
  'DELETE /automations/{id}': {
    params: {
      id: string
    }
    answer: null
  }
  'DELETE /automations/{id}/reports/{reportId}': {
    params: {
      id: string
      reportId: string
    }
    answer: null
  }
  'DELETE /boards/{shortId}': {
    params: {
      shortId: string
    }
    answer: null
  }
  'DELETE /boards/{shortId}/favorite': {
    params: {
      shortId: string
    }
    answer: null
  }
  'DELETE /channels/{id}': {
    params: {
      id: string
    }
    answer: null
  }
  'DELETE /chats/{shortId}': {
    params: {
      shortId: string
    }
    answer: null
  }
  'DELETE /chats/{shortId}/messages/{number}/feedback': {
    params: {
      shortId: string
      number: string
    }
    answer: null
  }
  'DELETE /comments/{commentId}': {
    params: {
      commentId: string
    }
    answer: null
  }
  'DELETE /data-connectors/{id}': {
    params: {
      id: string
    }
    answer: null
  }
  'DELETE /databases/{id}': {
    params: {
      id: string
    }
    answer: null
  }
  'DELETE /databases/{id}/tables/{schema}/{table}': {
    params: {
      id: string
      schema: string
      table: string
    }
    answer: null
  }
  'DELETE /embed-secrets/{id}': {
    params: {
      id: string
    }
    answer: null
  }
  'DELETE /folders/{id}': {
    params: {
      id: string
    }
    answer: null
  }
  'DELETE /git-repositories/{id}': {
    params: {
      id: string
    }
    answer: null
  }
  'DELETE /groups/{id}': {
    params: {
      id: string
    }
    answer: null
  }
  'DELETE /invitations/{id}': {
    params: {
      id: string
    }
    answer: null
  }
  'DELETE /knowledge/dbt': {
    query: {
      /** The database whose tables the import describes. */
      databaseId: string
      /** The name of the dbt project. */
      project: string
    }
    answer: null
  }
  'DELETE /knowledge/metrics/{id}': {
    params: {
      id: string
    }
    answer: null
  }
  'DELETE /members/{userId}': {
    params: {
      userId: string
    }
    answer: null
  }
  'DELETE /members/{userId}/second-factor': {
    params: {
      userId: string
    }
    answer: null
  }
  'DELETE /model-settings': {
    answer: null
  }
  'DELETE /public-links/{id}': {
    params: {
      id: string
    }
    answer: null
  }
  'DELETE /question-sets/{id}': {
    params: {
      id: string
    }
    answer: null
  }
  'DELETE /references/{shortId}': {
    params: {
      shortId: string
    }
    query?: {
      evenIfUsed?: 'true' | 'false'
    }
    answer: DeletedReference
  }
  'DELETE /references/{shortId}/favorite': {
    params: {
      shortId: string
    }
    answer: null
  }
  'DELETE /references/{shortId}/history-fill': {
    params: {
      shortId: string
    }
    answer: null
  }
  'DELETE /references/{shortId}/results/{runId}/pin': {
    params: {
      shortId: string
      runId: string
    }
    answer: KeptResult
  }
  'DELETE /references/{shortId}/verification': {
    params: {
      shortId: string
    }
    answer: null
  }
  'DELETE /session': {
    answer: null
  }
  'DELETE /session/viewed-member': {
    answer: null
  }
  'DELETE /webhook-endpoints/{id}': {
    params: {
      id: string
    }
    answer: null
  }
  'DELETE /webhook-endpoints/{id}/next-secret': {
    params: {
      id: string
    }
    answer: EndpointSecrets
  }
  'GET /access': {
    answer: AccessMatrix
  }
  'GET /access/attributes': {
    answer: {
      items: MemberAttribute[]
    }
  }
  'GET /account': {
    answer: Account
  }
  'GET /account/second-factor': {
    answer: SecondFactor
  }
  'GET /account/sessions': {
    answer: {
      items: AccountSession[]
    }
  }
  'GET /api-key-groups': {
    answer: {
      items: GroupOfKeys[]
    }
  }
  'GET /api-keys': {
    answer: {
      items: ListedApiKey[]
    }
  }
  'GET /audit-log': {
    query?: {
      /** Maximum number of items per page. */
      limit?: number
      /** The `nextCursor` of the previous page, unchanged. Valid for 24 hours. Omit it for the first page. */
      cursor?: string
      actor?: string
      action?: string
      subject?: string
      search?: string
      /** ISO 8601, UTC */
      from?: string
      /** ISO 8601, UTC */
      to?: string
    }
    answer: {
      items: AuditRecord[]
      /** Send it as `cursor` to get the next page. Opaque; absent on the last page. */
      nextCursor?: string
    }
  }
  'GET /audit-log/actions': {
    answer: {
      items: AuditAction[]
    }
  }
  'GET /audit-log/export': {
    query?: {
      actor?: string
      action?: string
      subject?: string
      search?: string
      /** ISO 8601, UTC */
      from?: string
      /** ISO 8601, UTC */
      to?: string
      format?: AuditExportFormat
    }
    answer: unknown
  }
  'GET /audit-log/key-use': {
    query?: {
      /** Maximum number of items per page. */
      limit?: number
      /** The `nextCursor` of the previous page, unchanged. Valid for 24 hours. Omit it for the first page. */
      cursor?: string
      days?: number
    }
    answer: KeyUsePage
  }
  'GET /automation-runs/{id}': {
    params: {
      id: string
    }
    answer: AutomationRun
  }
  'GET /automations': {
    query?: {
      /** Maximum number of items per page. */
      limit?: number
      /** The `nextCursor` of the previous page, unchanged. Valid for 24 hours. Omit it for the first page. */
      cursor?: string
    }
    answer: {
      items: Automation[]
      /** Send it as `cursor` to get the next page. Opaque; absent on the last page. */
      nextCursor?: string
    }
  }
  'GET /automations/{id}': {
    params: {
      id: string
    }
    answer: Automation
  }
  'GET /automations/{id}/alert-changes': {
    params: {
      id: string
    }
    query?: {
      before?: number
    }
    answer: AlertChanges
  }
  'GET /automations/{id}/lineage': {
    params: {
      id: string
    }
    answer: ItemLineage
  }
  'GET /automations/{id}/model-backtest': {
    params: {
      id: string
    }
    answer: ModelBacktest
  }
  'GET /automations/{id}/reports': {
    params: {
      id: string
    }
    answer: {
      items: Report[]
    }
  }
  'GET /automations/{id}/runs': {
    params: {
      id: string
    }
    query?: {
      /** Maximum number of items per page. */
      limit?: number
      /** The `nextCursor` of the previous page, unchanged. Valid for 24 hours. Omit it for the first page. */
      cursor?: string
    }
    answer: {
      items: ListedAutomationRun[]
      /** Send it as `cursor` to get the next page. Opaque; absent on the last page. */
      nextCursor?: string
    }
  }
  'GET /board-images/{id}': {
    params: {
      id: string
    }
    answer: unknown
  }
  'GET /boards': {
    query?: {
      /** Maximum number of items per page. */
      limit?: number
      /** The `nextCursor` of the previous page, unchanged. Valid for 24 hours. Omit it for the first page. */
      cursor?: string
      /** The id of a folder, or `none` for boards in no folder. */
      folder?: string
    }
    answer: {
      items: ListedBoard[]
      /** Send it as `cursor` to get the next page. Opaque; absent on the last page. */
      nextCursor?: string
    }
  }
  'GET /boards/{shortId}': {
    params: {
      shortId: string
    }
    answer: Board
  }
  'GET /boards/{shortId}/comment-counts': {
    params: {
      shortId: string
    }
    answer: CommentCounts
  }
  'GET /boards/{shortId}/comment-threads': {
    params: {
      shortId: string
    }
    query?: {
      /** Maximum number of items per page. */
      limit?: number
      /** The `nextCursor` of the previous page, unchanged. Valid for 24 hours. Omit it for the first page. */
      cursor?: string
      show?: 'open' | 'resolved'
      tileId?: string
    }
    answer: {
      items: CommentThread[]
      /** Send it as `cursor` to get the next page. Opaque; absent on the last page. */
      nextCursor?: string
    }
  }
  'GET /boards/{shortId}/export': {
    params: {
      shortId: string
    }
    query?: {
      format?: 'xlsx' | 'pdf'
      values?: string
    }
    answer: unknown
  }
  'GET /boards/{shortId}/lineage': {
    params: {
      shortId: string
    }
    answer: ItemLineage
  }
  'GET /boards/{shortId}/marks': {
    params: {
      shortId: string
    }
    answer: ItemMarks
  }
  'GET /boards/{shortId}/past-results': {
    params: {
      shortId: string
    }
    query: {
      at: string
    }
    answer: PastBoard
  }
  'GET /boards/{shortId}/public-links': {
    params: {
      shortId: string
    }
    answer: {
      items: PublicLink[]
    }
  }
  'GET /boards/{shortId}/versions': {
    params: {
      shortId: string
    }
    query?: {
      /** Maximum number of items per page. */
      limit?: number
      /** The `nextCursor` of the previous page, unchanged. Valid for 24 hours. Omit it for the first page. */
      cursor?: string
    }
    answer: {
      items: BoardVersion[]
      /** Send it as `cursor` to get the next page. Opaque; absent on the last page. */
      nextCursor?: string
    }
  }
  'GET /boards/{shortId}/versions/{version}': {
    params: {
      shortId: string
      version: string
    }
    answer: BoardVersionInFull
  }
  'GET /channels': {
    answer: ChannelList
  }
  'GET /channels/{id}/conversations': {
    params: {
      id: string
    }
    answer: {
      items: Conversation[]
    }
  }
  'GET /channels/{id}/slack-connection': {
    params: {
      id: string
    }
    answer: SlackConnection
  }
  'GET /chat-feedback': {
    query?: {
      /** Maximum number of items per page. */
      limit?: number
      /** The `nextCursor` of the previous page, unchanged. Valid for 24 hours. Omit it for the first page. */
      cursor?: string
    }
    answer: {
      items: ListedFeedback[]
      /** Send it as `cursor` to get the next page. Opaque; absent on the last page. */
      nextCursor?: string
    }
  }
  'GET /chats': {
    query?: {
      /** Maximum number of items per page. */
      limit?: number
      /** The `nextCursor` of the previous page, unchanged. Valid for 24 hours. Omit it for the first page. */
      cursor?: string
    }
    answer: {
      items: ListedChat[]
      /** Send it as `cursor` to get the next page. Opaque; absent on the last page. */
      nextCursor?: string
    }
  }
  'GET /chats/{shortId}': {
    params: {
      shortId: string
    }
    query?: {
      /** Show the path with this question; by default, the one with the newest. */
      leaf?: number
    }
    answer: Chat
  }
  'GET /chats/{shortId}/events': {
    params: {
      shortId: string
    }
    query?: {
      after?: number
    }
    answer: ChatNews
  }
  'GET /chats/{shortId}/messages': {
    params: {
      shortId: string
    }
    query: {
      before: number
      /** Show the path with this question; by default, the one with the newest. */
      leaf?: number
    }
    answer: EarlierMessages
  }
  'GET /comment-threads/{threadId}': {
    params: {
      threadId: string
    }
    answer: CommentThread
  }
  'GET /data-connectors': {
    answer: {
      items: DataConnector[]
    }
  }
  'GET /databases': {
    answer: {
      items: Database[]
    }
  }
  'GET /databases/{id}': {
    params: {
      id: string
    }
    answer: DatabaseInFull
  }
  'GET /databases/{id}/tables': {
    params: {
      id: string
    }
    answer: {
      items: Table[]
    }
  }
  'GET /databases/{id}/tables/{schema}/{table}/preview': {
    params: {
      id: string
      schema: string
      table: string
    }
    answer: TablePreview
  }
  'GET /databases/{id}/users': {
    params: {
      id: string
    }
    query: {
      /** The schema of the table. */
      schema: string
      /** The name of the table. */
      table: string
      /** Only what uses this column. */
      column?: string
    }
    answer: TableUsers
  }
  'GET /deliveries/{id}': {
    params: {
      id: string
    }
    answer: Delivery
  }
  'GET /embedding': {
    answer: Embedding
  }
  'GET /evaluations/{id}': {
    params: {
      id: string
    }
    answer: EvaluationInFull
  }
  'GET /evaluations/{id}/comparison': {
    params: {
      id: string
    }
    query: {
      /** The id of the earlier evaluation. */
      with: string
    }
    answer: EvaluationComparison
  }
  'GET /favorites': {
    answer: {
      items: FavoriteItem[]
    }
  }
  'GET /folders': {
    answer: {
      items: Folder[]
    }
  }
  'GET /git-repositories': {
    answer: {
      items: GitRepository[]
    }
  }
  'GET /groups': {
    answer: {
      items: Group[]
    }
  }
  'GET /invitations': {
    answer: {
      items: Invitation[]
    }
  }
  'GET /knowledge/dbt': {
    answer: {
      items: DbtImport[]
    }
  }
  'GET /knowledge/history': {
    query?: {
      /** Maximum number of items per page. */
      limit?: number
      /** The `nextCursor` of the previous page, unchanged. Valid for 24 hours. Omit it for the first page. */
      cursor?: string
    }
    answer: {
      items: KnowledgeVersion[]
      /** Send it as `cursor` to get the next page. Opaque; absent on the last page. */
      nextCursor?: string
    }
  }
  'GET /knowledge/instructions': {
    answer: {
      items: Instructions[]
    }
  }
  'GET /knowledge/metrics': {
    answer: {
      items: Metric[]
    }
  }
  'GET /knowledge/suggestions': {
    query?: {
      state?: SuggestionState
    }
    answer: {
      items: Suggestion[]
    }
  }
  'GET /knowledge/tables': {
    query?: {
      search?: string
      database?: string
      limit?: number
    }
    answer: FoundTables
  }
  'GET /knowledge/verified-queries': {
    answer: {
      items: VerifiedQuery[]
    }
  }
  'GET /managed-items': {
    query: {
      kind: 'folder' | 'query' | 'board' | 'automation' | 'metric' | 'question_set'
      /** Only this item. */
      id?: string
    }
    answer: {
      items: ManagedItem[]
    }
  }
  'GET /members': {
    answer: {
      items: Member[]
    }
  }
  'GET /model-budget': {
    answer: ModelBudget
  }
  'GET /model-settings': {
    answer: SavedModelSettings
  }
  'GET /model-usage': {
    query?: {
      days?: number
    }
    answer: ModelUsageReport
  }
  'GET /notifications': {
    query?: {
      /** Maximum number of items per page. */
      limit?: number
      /** The `nextCursor` of the previous page, unchanged. Valid for 24 hours. Omit it for the first page. */
      cursor?: string
      show?: 'all' | 'unread'
    }
    answer: NotificationPage
  }
  'GET /notifications/events': {
    answer: UnreadCount
  }
  'GET /notifications/settings': {
    answer: NotificationSettings
  }
  'GET /oidc/callback': {
    answer: unknown
  }
  'GET /oidc/start': {
    query?: {
      returnTo?: string
    }
    answer: unknown
  }
  'GET /organization': {
    answer: Organization
  }
  'GET /public-links': {
    query?: {
      /** Maximum number of items per page. */
      limit?: number
      /** The `nextCursor` of the previous page, unchanged. Valid for 24 hours. Omit it for the first page. */
      cursor?: string
    }
    answer: {
      items: PublicLink[]
      /** Send it as `cursor` to get the next page. Opaque; absent on the last page. */
      nextCursor?: string
    }
  }
  'GET /queries': {
    query?: {
      /** Maximum number of items per page. */
      limit?: number
      /** The `nextCursor` of the previous page, unchanged. Valid for 24 hours. Omit it for the first page. */
      cursor?: string
    }
    answer: QueryPage
  }
  'GET /queries/{queryId}': {
    params: {
      queryId: string
    }
    answer: QueryInFull
  }
  'GET /queries/{queryId}/result': {
    params: {
      queryId: string
    }
    answer: unknown
  }
  'GET /queries/{queryId}/runs': {
    params: {
      queryId: string
    }
    query?: {
      /** Maximum number of items per page. */
      limit?: number
      /** The `nextCursor` of the previous page, unchanged. Valid for 24 hours. Omit it for the first page. */
      cursor?: string
    }
    answer: {
      items: QueryRun[]
      /** Send it as `cursor` to get the next page. Opaque; absent on the last page. */
      nextCursor?: string
    }
  }
  'GET /question-sets': {
    answer: {
      items: ListedQuestionSet[]
    }
  }
  'GET /question-sets/{id}': {
    params: {
      id: string
    }
    answer: QuestionSet
  }
  'GET /question-sets/{id}/baseline': {
    params: {
      id: string
    }
    answer: Baseline
  }
  'GET /question-sets/{id}/evaluations': {
    params: {
      id: string
    }
    query?: {
      /** Maximum number of items per page. */
      limit?: number
      /** The `nextCursor` of the previous page, unchanged. Valid for 24 hours. Omit it for the first page. */
      cursor?: string
    }
    answer: {
      items: Evaluation[]
      /** Send it as `cursor` to get the next page. Opaque; absent on the last page. */
      nextCursor?: string
    }
  }
  'GET /recently-viewed': {
    answer: {
      items: ViewedItem[]
    }
  }
  'GET /recipient-groups': {
    answer: {
      items: RecipientGroup[]
    }
  }
  'GET /references': {
    query?: {
      /** Maximum number of items per page. */
      limit?: number
      /** The `nextCursor` of the previous page, unchanged. Valid for 24 hours. Omit it for the first page. */
      cursor?: string
      search?: string
      database?: string
      createdBy?: 'me'
      /** The id of a folder, or `none` for references in no folder. */
      folder?: string
      tag?: string
      favoriteOf?: 'me'
    }
    answer: {
      items: FoundReference[]
      /** Send it as `cursor` to get the next page. Opaque; absent on the last page. */
      nextCursor?: string
    }
  }
  'GET /references/best': {
    query: {
      search: string
      database?: string
      createdBy?: 'me'
      /** The id of a folder, or `none` for references in no folder. */
      folder?: string
      tag?: string
      favoriteOf?: 'me'
      limit?: number
    }
    answer: BestReferences
  }
  'GET /references/{shortId}': {
    params: {
      shortId: string
    }
    answer: ReferenceInFull
  }
  'GET /references/{shortId}/change-feed': {
    params: {
      shortId: string
    }
    answer: ChangeFeed
  }
  'GET /references/{shortId}/comment-counts': {
    params: {
      shortId: string
    }
    answer: CommentCounts
  }
  'GET /references/{shortId}/comment-threads': {
    params: {
      shortId: string
    }
    query?: {
      /** Maximum number of items per page. */
      limit?: number
      /** The `nextCursor` of the previous page, unchanged. Valid for 24 hours. Omit it for the first page. */
      cursor?: string
      show?: 'open' | 'resolved'
      tileId?: string
    }
    answer: {
      items: CommentThread[]
      /** Send it as `cursor` to get the next page. Opaque; absent on the last page. */
      nextCursor?: string
    }
  }
  'GET /references/{shortId}/compare': {
    params: {
      shortId: string
    }
    query: {
      /** The run of the earlier result. */
      from: string
      /** The run of the later result. */
      to: string
      /** The columns that identify a row, separated by commas. By default they are inferred. */
      keyColumns?: string[]
      /** Return at most this many rows. The counts are of all rows. */
      limit?: number
      /** JSON by default; `jsonl`: one changed row per line. */
      format?: 'json' | 'jsonl'
    }
    answer: ResultComparison
  }
  'GET /references/{shortId}/history-settings': {
    params: {
      shortId: string
    }
    answer: ReferenceHistorySettings
  }
  'GET /references/{shortId}/lineage': {
    params: {
      shortId: string
    }
    answer: ReferenceLineage
  }
  'GET /references/{shortId}/marks': {
    params: {
      shortId: string
    }
    answer: ItemMarks
  }
  'GET /references/{shortId}/options': {
    params: {
      shortId: string
    }
    query: {
      valueColumn: string
      labelColumn?: string
      search?: string
      /** The values of the parameters that the options depend on, by name, as a JSON object. */
      values?: string
    }
    answer: OptionsOfReference
  }
  'GET /references/{shortId}/past': {
    params: {
      shortId: string
    }
    query: {
      at: string
    }
    answer: PastReference
  }
  'GET /references/{shortId}/public-links': {
    params: {
      shortId: string
    }
    answer: {
      items: PublicLink[]
    }
  }
  'GET /references/{shortId}/results': {
    params: {
      shortId: string
    }
    query?: {
      /** Maximum number of items per page. */
      limit?: number
      /** The `nextCursor` of the previous page, unchanged. Valid for 24 hours. Omit it for the first page. */
      cursor?: string
    }
    answer: {
      items: KeptResult[]
      /** Send it as `cursor` to get the next page. Opaque; absent on the last page. */
      nextCursor?: string
    }
  }
  'GET /references/{shortId}/results/{runId}': {
    params: {
      shortId: string
      runId: string
    }
    query?: {
      /**
       * Format of the result; default JSON. The other formats are file downloads with a name in
       * `Content-Disposition`.
       */
      format?: 'json' | 'jsonl' | 'csv' | 'xlsx' | 'parquet' | 'arrow'
      /**
       * Only with `format=csv`, rejected with any other format: do not escape texts. By default, a text that a
       * spreadsheet would execute as a formula is prefixed with an apostrophe.
       */
      raw?: '1'
    }
    answer: QueryResult
  }
  'GET /references/{shortId}/versions': {
    params: {
      shortId: string
    }
    query?: {
      /** Maximum number of items per page. */
      limit?: number
      /** The `nextCursor` of the previous page, unchanged. Valid for 24 hours. Omit it for the first page. */
      cursor?: string
    }
    answer: {
      items: ReferenceVersion[]
      /** Send it as `cursor` to get the next page. Opaque; absent on the last page. */
      nextCursor?: string
    }
  }
  'GET /references/{shortId}/versions/{version}': {
    params: {
      shortId: string
      version: string
    }
    answer: ReferenceVersionInFull
  }
  'GET /references/{shortId}/why': {
    params: {
      shortId: string
    }
    query: {
      /** The run of the earlier result. */
      from: string
      /** The run of the later result. */
      to: string
      /** The column whose sum is explained. By default, the first five columns that can be added up. */
      measure?: string
      /** A column by whose sum that of the measure is divided, to explain a ratio. */
      denominator?: string
      /** The columns that identify a row, separated by commas. By default they are inferred. */
      keyColumns?: string[]
    }
    answer: ExplainedChange
  }
  'GET /report-deliveries': {
    query?: {
      /** Maximum number of items per page. */
      limit?: number
      /** The `nextCursor` of the previous page, unchanged. Valid for 24 hours. Omit it for the first page. */
      cursor?: string
      automationId?: string
      reportId?: string
      automationRunId?: string
      state?: ReportDeliveryState
    }
    answer: {
      items: ReportDelivery[]
      /** Send it as `cursor` to get the next page. Opaque; absent on the last page. */
      nextCursor?: string
    }
  }
  'GET /report-deliveries/{id}': {
    params: {
      id: string
    }
    answer: ReportDeliveryInFull
  }
  'GET /report-links/files/{token}': {
    params: {
      token: string
    }
    answer: unknown
  }
  'GET /result-history': {
    answer: HistorySettings
  }
  'GET /result-history/use': {
    query?: {
      /** Maximum number of items per page. */
      limit?: number
      /** The `nextCursor` of the previous page, unchanged. Valid for 24 hours. Omit it for the first page. */
      cursor?: string
    }
    answer: {
      items: HistoryUse[]
      /** Send it as `cursor` to get the next page. Opaque; absent on the last page. */
      nextCursor?: string
    }
  }
  'GET /runs': {
    query?: {
      limit?: number
    }
    answer: {
      items: OwnRun[]
    }
  }
  'GET /runs/{runId}': {
    params: {
      runId: string
    }
    answer: RunInFull
  }
  'GET /runs/{runId}/result': {
    params: {
      runId: string
    }
    query?: {
      format?: DownloadFormat
      download?: '1'
      raw?: '1'
    }
    answer: unknown
  }
  'GET /search': {
    query: {
      q: string
      limit?: number
    }
    answer: {
      items: FoundItem[]
    }
  }
  'GET /session': {
    answer: Session
  }
  'GET /sign-in-options': {
    answer: SignInOptions
  }
  'GET /sign-in/second-step': {
    answer: SecondStep
  }
  'GET /storage': {
    answer: {
      items: StoredTable[]
    }
  }
  'GET /tags': {
    answer: {
      items: UsedTag[]
    }
  }
  'GET /trash': {
    query?: {
      /** Maximum number of items per page. */
      limit?: number
      /** The `nextCursor` of the previous page, unchanged. Valid for 24 hours. Omit it for the first page. */
      cursor?: string
    }
    answer: {
      items: TrashItem[]
      /** Send it as `cursor` to get the next page. Opaque; absent on the last page. */
      nextCursor?: string
    }
  }
  'GET /webhook-endpoints': {
    answer: {
      items: ListedEndpoint[]
    }
  }
  'GET /webhook-endpoints/{id}': {
    params: {
      id: string
    }
    answer: Endpoint
  }
  'GET /webhook-endpoints/{id}/deliveries': {
    params: {
      id: string
    }
    query?: {
      /** Maximum number of items per page. */
      limit?: number
      /** The `nextCursor` of the previous page, unchanged. Valid for 24 hours. Omit it for the first page. */
      cursor?: string
      state?: DeliveryState
      eventType?: EventType
      search?: string
      /** ISO 8601, UTC */
      from?: string
      /** ISO 8601, UTC */
      to?: string
    }
    answer: {
      items: LoggedDelivery[]
      /** Send it as `cursor` to get the next page. Opaque; absent on the last page. */
      nextCursor?: string
    }
  }
  'GET /webhook-endpoints/{id}/secret': {
    params: {
      id: string
    }
    answer: EndpointSecrets
  }
  'GET /webhook-endpoints/{id}/series': {
    params: {
      id: string
    }
    query?: {
      period?: SeriesPeriod
    }
    answer: EndpointSeries
  }
  'PATCH /account': {
    body: {
      name?: string
    }
    answer: Account
  }
  'PATCH /api-keys/{id}': {
    params: {
      id: string
    }
    body: ApiKeyEdit
    answer: ListedApiKey
  }
  'PATCH /automations/{id}': {
    params: {
      id: string
    }
    body: AutomationChange
    answer: Automation
  }
  'PATCH /automations/{id}/reports/{reportId}': {
    params: {
      id: string
      reportId: string
    }
    body: ReportChange
    answer: Report
  }
  'PATCH /boards/{shortId}': {
    params: {
      shortId: string
    }
    body: BoardChange
    answer: Board
  }
  'PATCH /channels/{id}': {
    params: {
      id: string
    }
    body: ChannelChange
    answer: Channel
  }
  'PATCH /chats/{shortId}': {
    params: {
      shortId: string
    }
    body: {
      title: string
    }
    answer: Chat
  }
  'PATCH /comment-threads/{threadId}': {
    params: {
      threadId: string
    }
    body: ThreadChange
    answer: CommentThread
  }
  'PATCH /comments/{commentId}': {
    params: {
      commentId: string
    }
    body: CommentText
    answer: CommentThread
  }
  'PATCH /data-connectors/{id}': {
    params: {
      id: string
    }
    body: DataConnectorChange
    answer: DataConnector
  }
  'PATCH /databases/{id}': {
    params: {
      id: string
    }
    body: {
      name?: string
      settings?: Record<string, unknown>
      password?: string | null
    }
    answer: Database
  }
  'PATCH /databases/{id}/tables/{schema}/{table}': {
    params: {
      id: string
      schema: string
      table: string
    }
    body: {
      name: string
    }
    answer: null
  }
  'PATCH /folders/{id}': {
    params: {
      id: string
    }
    body: FolderChange
    answer: Folder
  }
  'PATCH /groups/{id}': {
    params: {
      id: string
    }
    body: GroupEdit
    answer: Group
  }
  'PATCH /members/{userId}': {
    params: {
      userId: string
    }
    body: {
      role: Role
    }
    answer: Member
  }
  'PATCH /notifications/settings': {
    body: {
      emailEnabled?: boolean
      commentEmailEnabled?: boolean
    }
    answer: NotificationSettings
  }
  'PATCH /organization': {
    body: {
      name?: string
      webhooksEnabled?: boolean
      /** The colors of charts, such as #1d4a51, in the order of use. Null for the default ones. */
      chartPalette?: string[] | null
      publicLinksEnabled?: boolean
      memberUploadsEnabled?: boolean
      costLimits?: CostLimits
      secondFactorRequired?: boolean
      ssoRequired?: boolean
    }
    answer: Organization
  }
  'PATCH /public-links/{id}': {
    params: {
      id: string
    }
    body: PublicLinkChange
    answer: PublicLink
  }
  'PATCH /references/{shortId}': {
    params: {
      shortId: string
    }
    body: ReferenceChange
    answer: ReferenceInFull
  }
  'PATCH /references/{shortId}/change-feed': {
    params: {
      shortId: string
    }
    body: {
      /** Turns the change feed on or off. */
      publishesChanges?: boolean
      /** The columns that identify a row. Null, or left out the first time: they are inferred from the data. */
      keyColumns?: string[] | null
    }
    answer: ChangeFeed
  }
  'PATCH /references/{shortId}/history-settings': {
    params: {
      shortId: string
    }
    body: {
      days?: number | null
      count?: number | null
    }
    answer: ReferenceHistorySettings
  }
  'PATCH /result-history': {
    body: {
      days?: number
      count?: number
      bytes?: number
    }
    answer: HistorySettings
  }
  'PATCH /webhook-endpoints/{id}': {
    params: {
      id: string
    }
    body: EndpointChange
    answer: Endpoint
  }
  'POST /account/password': {
    body: {
      currentPassword: string
      newPassword: string
    }
    answer: null
  }
  'POST /account/second-factor': {
    body: AcceptedOffer
    answer: RecoveryCodes
  }
  'POST /account/second-factor/offer': {
    body: {
      password: string
    }
    answer: SecondFactorOffer
  }
  'POST /account/second-factor/recovery-codes': {
    body: {
      password: string
      code: string
    }
    answer: RecoveryCodes
  }
  'POST /account/second-factor/turn-off': {
    body: {
      password: string
      code: string
    }
    answer: null
  }
  'POST /api-keys': {
    body: NewApiKey
    answer: CreatedApiKey
  }
  'POST /automation-runs/{id}/stop': {
    params: {
      id: string
    }
    answer: AutomationRun
  }
  'POST /automations': {
    body: NewAutomation
    answer: Automation
  }
  'POST /automations/backtest': {
    body: BacktestRequest
    answer: Backtest
  }
  'POST /automations/digest-backtest': {
    body: DigestBacktestRequest
    answer: DigestBacktest
  }
  'POST /automations/{id}/model-backtest': {
    params: {
      id: string
    }
    body: PastSummaryRequest
    answer: ModelSummary
  }
  'POST /automations/{id}/reports': {
    params: {
      id: string
    }
    body: NewReport
    answer: Report
  }
  'POST /automations/{id}/reports/preview': {
    params: {
      id: string
    }
    body: ReportPreviewRequest
    answer: ReportPreview
  }
  'POST /automations/{id}/reports/{reportId}/confirmations': {
    params: {
      id: string
      reportId: string
    }
    body: ConfirmationRequest
    answer: null
  }
  'POST /automations/{id}/reports/{reportId}/test': {
    params: {
      id: string
      reportId: string
    }
    body: ReportTest
    answer: null
  }
  'POST /automations/{id}/runs': {
    params: {
      id: string
    }
    body?: Record<string, never>
    answer: AutomationRun
  }
  'POST /automations/{id}/snooze': {
    params: {
      id: string
    }
    body: Snooze
    answer: Automation
  }
  'POST /board-images': {
    answer: BoardImage
  }
  'POST /boards': {
    body: NewBoard
    answer: Board
  }
  'POST /boards/draft': {
    body: GivenBoardDescription
    answer: BoardDraft
  }
  'POST /boards/{shortId}/comment-threads': {
    params: {
      shortId: string
    }
    body: NewThread
    answer: CommentThread
  }
  'POST /boards/{shortId}/duplicate': {
    params: {
      shortId: string
    }
    answer: Board
  }
  'POST /boards/{shortId}/public-links': {
    params: {
      shortId: string
    }
    body: NewPublicLink
    answer: PublicLink
  }
  'POST /boards/{shortId}/refresh': {
    params: {
      shortId: string
    }
    body?: GivenRefresh
    answer: BoardResults
  }
  'POST /boards/{shortId}/results': {
    params: {
      shortId: string
    }
    body?: GivenBoardValues
    answer: BoardResults
  }
  'POST /boards/{shortId}/short-results': {
    params: {
      shortId: string
    }
    body: GivenTileSizes
    answer: ShortResults
  }
  'POST /boards/{shortId}/versions/{version}/restore': {
    params: {
      shortId: string
      version: string
    }
    answer: Board
  }
  'POST /boards/{shortId}/views': {
    params: {
      shortId: string
    }
    answer: null
  }
  'POST /channels': {
    body: NewChannel
    answer: Channel
  }
  'POST /channels/{id}/test': {
    params: {
      id: string
    }
    body?: ChannelTest
    answer: null
  }
  'POST /chats': {
    body: {
      text: string
      databaseId?: string
    }
    answer: Chat
  }
  'POST /chats/{shortId}/messages': {
    params: {
      shortId: string
    }
    body: {
      text: string
      /** The question or instruction that this one continues from; null to start over. By default, the newest. */
      follows?: number | null
    }
    answer: Chat
  }
  'POST /chats/{shortId}/stop': {
    params: {
      shortId: string
    }
    answer: Chat
  }
  'POST /comment-threads/{threadId}/comments': {
    params: {
      threadId: string
    }
    body: CommentText
    answer: CommentThread
  }
  'POST /data-connectors': {
    body: GivenDataConnector
    answer: DataConnector
  }
  'POST /data-connectors/{id}/test': {
    params: {
      id: string
    }
    answer: ConnectorTest
  }
  'POST /databases': {
    body: {
      name: string
      engine: 'duckdb' | 'postgres' | 'mysql' | 'clickhouse' | 'bigquery' | 'trino' | 'snowflake' | 'redshift' | 'sqlite'
      settings?: Record<string, unknown>
      password?: string | null
    }
    answer: Database
  }
  'POST /databases/saved-queries': {
    answer: Database
  }
  'POST /databases/test': {
    body: {
      engine: ServerEngine
      settings: Record<string, unknown>
      password?: string | null
    }
    answer: TriedConnection
  }
  'POST /databases/upload': {
    query: {
      name: string
      engine?: FileEngine
    }
    answer: Database
  }
  'POST /databases/uploads': {
    answer: Database
  }
  'POST /databases/{id}/estimate': {
    params: {
      id: string
    }
    body: {
      sql: string
      parameterValues?: Record<string, (string | number | boolean)[] | string | number | boolean>
      parameters?: GivenParameter[]
    }
    answer: QueryEstimate
  }
  'POST /databases/{id}/tables': {
    params: {
      id: string
    }
    query: {
      name: string
      format: FileFormat
      ifExists?: 'refuse' | 'replace' | 'append' | 'upsert'
      keys?: string | string[]
      sheet?: string
      encoding?: Encoding
      delimiter?: ',' | ';' | '	' | '|'
      hasHeader?: 'true' | 'false'
      decimalSign?: '.' | ','
      thousandsSeparator?: '' | '.' | ',' | ' ' | '\''
      dateOrder?: DateOrder
      types?: string
    }
    answer: ImportedTable
  }
  'POST /databases/{id}/tables/preview': {
    params: {
      id: string
    }
    query: {
      format: 'csv' | 'xlsx'
      isWhole?: 'true' | 'false'
      sheet?: string
      encoding?: Encoding
      delimiter?: ',' | ';' | '	' | '|'
      hasHeader?: 'true' | 'false'
      decimalSign?: '.' | ','
      thousandsSeparator?: '' | '.' | ',' | ' ' | '\''
      dateOrder?: DateOrder
      types?: string
    }
    answer: FilePreview
  }
  'POST /databases/{id}/test': {
    params: {
      id: string
    }
    body?: {
      settings?: Record<string, unknown>
      password?: string | null
    }
    answer: TriedConnection | TestOutcome
  }
  'POST /deliveries/{id}/resend': {
    params: {
      id: string
    }
    answer: Delivery
  }
  'POST /embed-secrets': {
    body: {
      name: string
    }
    answer: NewEmbedSecret
  }
  'POST /embed-secrets/{id}/rotate': {
    params: {
      id: string
    }
    body: {
      overlapHours: number
    }
    answer: NewEmbedSecret
  }
  'POST /evaluations/{id}/stop': {
    params: {
      id: string
    }
    answer: EvaluationInFull
  }
  'POST /folders': {
    body: NewFolder
    answer: Folder
  }
  'POST /git-repositories': {
    body: NewGitRepository
    answer: NewRepositorySecret
  }
  'POST /git-repositories/{id}/rotate': {
    params: {
      id: string
    }
    body: {
      overlapHours: number
    }
    answer: NewRepositorySecret
  }
  'POST /groups': {
    body: NewGroup
    answer: Group
  }
  'POST /invitations': {
    body: {
      email: string
      role: Role
    }
    answer: NewInvitation
  }
  'POST /invitations/accept': {
    body: {
      token: string
      name?: string
      password?: string
    }
    answer: UnfinishedSignIn | null
  }
  'POST /invitations/read': {
    body: {
      token: string
    }
    answer: OpenedInvitation
  }
  'POST /items/delete': {
    query?: {
      evenIfUsed?: 'true' | 'false'
    }
    body: NamedItems
    answer: null
  }
  'POST /items/move': {
    body: ItemMoves
    answer: ItemMoves
  }
  'POST /items/remove': {
    body: NamedItems
    answer: null
  }
  'POST /items/restore': {
    body: NamedItems
    answer: null
  }
  'POST /items/tag': {
    body: ItemTaggings
    answer: ItemTaggings
  }
  'POST /knowledge/dbt': {
    query: {
      /** The database that the project builds its tables in. */
      databaseId: string
      /** The address of the site that dbt generates, to link tables to their pages. */
      docsUrl?: string
      /** The address of the project’s files, to link tables to the files that define them. */
      repositoryUrl?: string
    }
    answer: DbtImport
  }
  'POST /knowledge/items/{id}/restore': {
    params: {
      id: string
    }
    body: {
      number: number
    }
    answer: null
  }
  'POST /knowledge/metrics': {
    body: GivenMetric
    answer: Metric
  }
  'POST /knowledge/suggestions': {
    body: GivenSuggestion
    answer: Suggestion
  }
  'POST /knowledge/suggestions/{id}/accept': {
    params: {
      id: string
    }
    body: AcceptedSuggestion
    answer: Suggestion
  }
  'POST /knowledge/suggestions/{id}/decline': {
    params: {
      id: string
    }
    answer: Suggestion
  }
  'POST /model-settings/test': {
    body?: {
      provider?: ModelProvider
      baseUrl?: string
      model?: string
      /** Omit it to keep the stored key. Null removes the key. */
      apiKey?: string | null
    }
    answer: ModelTest
  }
  'POST /notifications/read': {
    body?: {
      ids?: string[]
    }
    answer: UnreadCount
  }
  'POST /notifications/test-email': {
    answer: EmailTest
  }
  'POST /organizations': {
    body: {
      name: string
    }
    answer: AddedOrganization
  }
  'POST /password-reset': {
    body: {
      token: string
      password: string
    }
    answer: UnfinishedSignIn | null
  }
  'POST /password-reset/read': {
    body: {
      token: string
    }
    answer: PasswordReset
  }
  'POST /password-reset/request': {
    body: {
      email: string
    }
    answer: null
  }
  'POST /queries': {
    body: {
      sql: string
      analyticalDatabaseConfigId: string
    }
    answer: Query
  }
  'POST /queries/{queryId}/runs': {
    params: {
      queryId: string
    }
    body?: {
      parameterValues?: Record<string, (string | number | boolean)[] | string | number | boolean>
      parameters?: GivenParameter[]
    }
    answer: RunInFull
  }
  'POST /question-sets': {
    body: GivenQuestionSet
    answer: QuestionSet
  }
  'POST /question-sets/{id}/evaluations': {
    params: {
      id: string
    }
    body?: TriedEvaluation
    answer: EvaluationInFull
  }
  'POST /references': {
    body: NewReference
    answer: ReferenceInFull
  }
  'POST /references/{shortId}/comment-threads': {
    params: {
      shortId: string
    }
    body: NewThread
    answer: CommentThread
  }
  'POST /references/{shortId}/history-fill': {
    params: {
      shortId: string
    }
    body: NewHistoryFill
    answer: HistoryFill
  }
  'POST /references/{shortId}/public-links': {
    params: {
      shortId: string
    }
    body: NewPublicLink
    answer: PublicLink
  }
  'POST /references/{shortId}/restore': {
    params: {
      shortId: string
    }
    answer: ReferenceInFull
  }
  'POST /references/{shortId}/runs': {
    params: {
      shortId: string
    }
    body?: {
      parameterValues?: Record<string, (string | number | boolean)[] | string | number | boolean>
    }
    answer: RunInFull
  }
  'POST /references/{shortId}/versions/{version}/restore': {
    params: {
      shortId: string
      version: string
    }
    answer: ReferenceInFull
  }
  'POST /references/{shortId}/views': {
    params: {
      shortId: string
    }
    answer: null
  }
  'POST /report-deliveries/{id}/resend': {
    params: {
      id: string
    }
    answer: ReportDelivery
  }
  'POST /report-links/confirm': {
    body: {
      token: string
    }
    answer: null
  }
  'POST /report-links/read': {
    body: {
      token: string
    }
    answer: ReportLink
  }
  'POST /report-links/resubscribe': {
    body: {
      token: string
    }
    answer: null
  }
  'POST /report-links/unsubscribe': {
    body: {
      token: string
    }
    answer: null
  }
  'POST /runs/{runId}/cancel': {
    params: {
      runId: string
    }
    answer: RunInFull
  }
  'POST /schedules/preview': {
    body: Schedule
    answer: SchedulePreview
  }
  'POST /session': {
    body: {
      email: string
      password: string
    }
    answer: UnfinishedSignIn | null
  }
  'POST /session/organization': {
    body: {
      organizationId: string
    }
    answer: null
  }
  'POST /sign-in/code': {
    body: {
      code: string
    }
    answer: UnfinishedSignIn | null
  }
  'POST /sign-in/second-factor': {
    body: AcceptedOffer
    answer: RecoveryCodes
  }
  'POST /sign-in/second-factor/offer': {
    answer: SecondFactorOffer
  }
  'POST /webhook-endpoints': {
    body: GivenEndpoint
    answer: CreatedEndpoint
  }
  'POST /webhook-endpoints/check': {
    body: {
      url: string
    }
    answer: UrlCheck
  }
  'POST /webhook-endpoints/{id}/disable': {
    params: {
      id: string
    }
    answer: Endpoint
  }
  'POST /webhook-endpoints/{id}/enable': {
    params: {
      id: string
    }
    body?: {
      sendHeld?: boolean
    }
    answer: Endpoint
  }
  'POST /webhook-endpoints/{id}/replay': {
    params: {
      id: string
    }
    body: {
      states?: ReplayState[]
      eventTypes?: EventType[]
      /** ISO 8601, UTC */
      from?: string
      /** ISO 8601, UTC */
      to?: string
      count: number
    }
    answer: DeliveryCount
  }
  'POST /webhook-endpoints/{id}/replay/count': {
    params: {
      id: string
    }
    body?: ReplayChoice
    answer: DeliveryCount
  }
  'POST /webhook-endpoints/{id}/rotate-secret': {
    params: {
      id: string
    }
    body?: {
      activate?: boolean
    }
    answer: EndpointSecrets
  }
  'POST /webhook-endpoints/{id}/send-held': {
    params: {
      id: string
    }
    answer: DeliveryCount
  }
  'POST /webhook-endpoints/{id}/test': {
    params: {
      id: string
    }
    body?: {
      eventType?: EventType
    }
    answer: Delivery
  }
  'POST /welcome': {
    body: {
      token: string
      name: string
      email?: string
      password: string
      organizationName: string
    }
    answer: UnfinishedSignIn | null
  }
  'POST /welcome/read': {
    body: {
      token: string
    }
    answer: Welcome
  }
  'PUT /access/databases/{databaseId}': {
    params: {
      databaseId: string
    }
    body: DatabaseLevels
    answer: null
  }
  'PUT /access/databases/{databaseId}/row-rules': {
    params: {
      databaseId: string
    }
    body: RowRules
    answer: null
  }
  'PUT /access/folders/{folderId}': {
    params: {
      folderId: string
    }
    body: FolderLevels
    answer: null
  }
  'PUT /access/members/{userId}/attributes': {
    params: {
      userId: string
    }
    body: MemberAttributes
    answer: null
  }
  'PUT /boards/{shortId}/favorite': {
    params: {
      shortId: string
    }
    answer: null
  }
  'PUT /boards/{shortId}/tags': {
    params: {
      shortId: string
    }
    body: TagsChange
    answer: ItemTags
  }
  'PUT /chats/{shortId}/messages/{number}/feedback': {
    params: {
      shortId: string
      number: string
    }
    body: {
      isHelpful: boolean
      remark?: string | null
    }
    answer: Feedback
  }
  'PUT /embedding/origins': {
    body: {
      origins: string[]
    }
    answer: Embedding
  }
  'PUT /knowledge/instructions': {
    body: GivenInstructions
    answer: Instructions
  }
  'PUT /knowledge/metrics/{id}': {
    params: {
      id: string
    }
    body: MetricChange
    answer: Metric
  }
  'PUT /knowledge/tables': {
    body: GivenTableDescription
    answer: CatalogTable
  }
  'PUT /model-budget': {
    body: ModelBudget
    answer: ModelBudget
  }
  'PUT /model-settings': {
    body: GivenModelSettings
    answer: SavedModelSettings
  }
  'PUT /question-sets/{id}': {
    params: {
      id: string
    }
    body: GivenQuestionSet
    answer: QuestionSet
  }
  'PUT /references/{shortId}/favorite': {
    params: {
      shortId: string
    }
    answer: null
  }
  'PUT /references/{shortId}/results/{runId}/pin': {
    params: {
      shortId: string
      runId: string
    }
    answer: KeptResult
  }
  'PUT /references/{shortId}/tags': {
    params: {
      shortId: string
    }
    body: TagsChange
    answer: ItemTags
  }
  'PUT /references/{shortId}/verification': {
    params: {
      shortId: string
    }
    answer: Verification
  }
  'PUT /session/viewed-member': {
    body: {
      userId: string
    }
    answer: null
  }
}
