import { SQLDialect } from '@codemirror/lang-sql'
import type { Dialect } from './sql-editor-props.ts'

/**
 * Keywords for reading data only, since queries never change it. The lists are limited to words worth completing, so that a
 * user's tables are not buried among rare keywords.
 */
const common =
  'select from where group by having order limit offset with recursive as on using join inner left right full outer cross ' +
  'natural union intersect except all distinct case when then else end and or not in exists between like is null true false ' +
  'asc desc over partition rows range preceding following unbounded current row window values cast interval explain show any ' +
  'some collate escape default extract if for'

const duckdb = SQLDialect.define({
  keywords:
    `${common} asof positional semi anti lateral ilike similar to nulls first last groups qualify filter within try_cast at ` +
    'time zone sample tablesample pivot unpivot describe summarize exclude replace columns unnest grouping sets rollup cube glob ' +
    'returning materialized',
  types:
    'bigint bit blob boolean bool date datetime decimal double float hugeint integer int int8 int4 int2 json list map numeric ' +
    'real smallint struct text time timestamp timestamptz tinyint ubigint uhugeint uinteger usmallint utinyint uuid varchar',
  builtin:
    'abs age any_value approx_count_distinct approx_quantile arg_max arg_min array_agg avg bool_and bool_or ceil coalesce concat ' +
    'concat_ws contains corr count count_if current_date current_timestamp date_add date_diff date_part date_sub date_trunc ' +
    'dayname day dayofweek dense_rank epoch first_value floor format generate_series greatest group_concat histogram hour ifnull ' +
    'json_extract json_extract_string lag last_day last_value lead least left length list_agg ln log lower lpad ltrim make_date ' +
    'max md5 median min minute mode month monthname now nth_value ntile nullif percent_rank position power quantile_cont ' +
    'quantile_disc quarter random range rank regexp_extract regexp_matches regexp_replace repeat replace reverse right round ' +
    'row_number rpad rtrim second sign split_part sqrt starts_with stddev stddev_pop stddev_samp strftime string_agg strptime ' +
    'strlen substr substring sum time_bucket to_timestamp trim trunc typeof upper var_pop var_samp variance week weekofyear year',
  doubleDollarQuotedStrings: true,
  operatorChars: '+-*/<>=~!@%^&|?:',
  identifierQuotes: '"',
  caseInsensitiveIdentifiers: true,
})

const postgres = SQLDialect.define({
  keywords:
    `${common} lateral ilike similar to nulls first last groups filter within at time zone tablesample grouping sets rollup ` +
    'cube fetch next only materialized ordinality array',
  types:
    'bigint boolean bytea char character cidr date daterange decimal double precision inet int int4 int8 integer interval json jsonb ' +
    'macaddr money numeric numrange point real smallint text time timestamp timestamptz tsquery tstzrange tsvector uuid varchar xml',
  builtin:
    'abs age array_agg array_length avg bool_and bool_or btrim cardinality ceil coalesce concat concat_ws corr count current_date ' +
    'current_timestamp date_bin date_part date_trunc dense_rank first_value floor format gen_random_uuid generate_series greatest ' +
    'initcap json_agg json_build_object json_object_agg jsonb_agg jsonb_array_elements jsonb_build_object jsonb_each ' +
    'jsonb_extract_path jsonb_path_query lag last_value lead least left length ln log lower lpad ltrim make_date max md5 min mode now ' +
    'nth_value ntile nullif percent_rank percentile_cont percentile_disc position power random rank regexp_match regexp_matches ' +
    'regexp_replace regexp_split_to_array repeat replace reverse right round row_number row_to_json rpad rtrim sign split_part ' +
    'sqrt starts_with stddev stddev_pop stddev_samp string_agg string_to_array substr substring sum to_char to_date to_json ' +
    'to_jsonb to_number to_timestamp to_tsquery to_tsvector trim trunc unnest upper var_pop var_samp variance width_bucket',
  doubleDollarQuotedStrings: true,
  operatorChars: '+-*/<>=~!@#%^&|`?:',
  identifierQuotes: '"',
  caseInsensitiveIdentifiers: true,
})

const mysql = SQLDialect.define({
  keywords:
    `${common} straight_join lateral rlike regexp xor div mod binary rollup separator use force ignore index describe sounds`,
  types:
    'bigint binary bit blob char date datetime decimal double enum float int integer json longblob longtext mediumint mediumtext ' +
    'numeric real set signed smallint text time timestamp tinyint tinytext unsigned varbinary varchar year',
  builtin:
    'abs adddate any_value avg bit_and bit_or ceil char_length coalesce concat concat_ws convert_tz count curdate current_date ' +
    'current_timestamp curtime date date_add date_format date_sub datediff day dayname dayofmonth dayofweek dayofyear dense_rank ' +
    'elt field find_in_set first_value floor format from_days from_unixtime greatest group_concat hex hour ifnull inet_ntoa instr ' +
    'json_array json_arrayagg json_contains json_extract json_object json_objectagg json_table json_unquote json_value lag last_day ' +
    'last_value lead least left length ln locate log lower lpad ltrim makedate max md5 mid min minute month monthname now nth_value ' +
    'ntile nullif percent_rank period_diff power quarter rand rank regexp_like regexp_replace regexp_substr repeat replace reverse ' +
    'right round row_number rpad rtrim sec_to_time second sha2 sign sqrt std stddev stddev_pop stddev_samp str_to_date strcmp ' +
    'subdate substring substring_index sum time time_to_sec timediff timestampadd timestampdiff to_days trim truncate unix_timestamp ' +
    'upper uuid var_pop var_samp variance week weekday weekofyear year yearweek',
  hashComments: true,
  spaceAfterDashes: true,
  backslashEscapes: true,
  doubleQuotedStrings: true,
  charSetCasts: true,
  operatorChars: '*+-%<>!=&|^',
  identifierQuotes: '`',
})

const clickhouse = SQLDialect.define({
  keywords:
    `${common} prewhere final sample array global asof semi anti ilike nulls first last fill step to rollup cube totals top ties ` +
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
})

export const dialects: Record<Dialect, SQLDialect> = { duckdb, postgres, mysql, clickhouse }
