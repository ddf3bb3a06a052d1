import { commonKeywords, type EditorDialect } from '../editor-dialect.ts'

export const clickhouseEditor: EditorDialect = {
  keywords:
    `${commonKeywords} prewhere final sample array global asof semi anti ilike nulls first last fill step to rollup cube totals top ties ` +
    'qualify format settings describe lambda',
  types:
    'Array Bool Date Date32 DateTime DateTime64 Decimal Decimal128 Decimal256 Decimal32 Decimal64 Enum16 Enum8 FixedString Float32 ' +
    'Float64 Int128 Int16 Int256 Int32 Int64 Int8 IPv4 IPv6 JSON LowCardinality Map Nested Nullable String Tuple UInt128 UInt16 ' +
    'UInt256 UInt32 UInt64 UInt8 UUID',
  builtin:
    'abs any anyLast argMax argMin arrayConcat arrayCount arrayDistinct arrayElement arrayExists arrayFilter arrayJoin arrayMap ' +
    'arraySort arraySum avg avgIf avgWeighted ceil coalesce concat corr count countIf countSubstrings dateDiff dateTrunc dictGet ' +
    'domain empty endsWith extractAll first_value floor formatDateTime formatReadableSize greatest groupArray groupBitmap ' +
    'groupUniqArray has hasAny hostName if ifNull indexOf isNull JSONExtract JSONExtractFloat JSONExtractInt JSONExtractString ' +
    'JSONHas lagInFrame last_value leadInFrame least length like lower lowerUTF8 mapKeys mapValues match max maxIf median min minIf ' +
    'multiIf neighbor notEmpty now now64 nullIf parseDateTimeBestEffort position quantile quantileExact quantiles quantileTDigest ' +
    'rand range rank replaceAll replaceOne replaceRegexpAll reverse round rowNumberInAllBlocks row_number runningAccumulate ' +
    'runningDifference simpleLinearRegression splitByChar splitByString startsWith stddevPop stddevSamp substring sum sumIf sumMap ' +
    'toDate toDateTime toDateTime64 toDayOfMonth toDayOfWeek toDecimal64 toFloat64 toHour toInt32 toInt64 today toMinute toMonday ' +
    'toMonth topK toQuarter toStartOfDay toStartOfFifteenMinutes toStartOfHour toStartOfInterval toStartOfMinute toStartOfMonth ' +
    'toStartOfQuarter toStartOfWeek toStartOfYear toString toTypeName toUInt32 toUInt64 toUnixTimestamp toYear toYYYYMM trimBoth ' +
    'tupleElement uniq uniqCombined uniqExact uniqHLL12 uniqIf upper uuidToNum varPop varSamp visitParamExtractString yesterday',
  hashComments: true,
  backslashEscapes: true,
  operatorChars: '+-*/%<>=!|?:&^~',
  identifierQuotes: '`"',
  formatter: 'clickhouse',
}
