import { commonKeywords, type EditorDialect } from '../editor-dialect.ts'

export const snowflakeEditor: EditorDialect = {
  keywords:
    `${commonKeywords} qualify lateral flatten ilike rlike regexp nulls first last within filter pivot unpivot sample tablesample ` +
    'bernoulli top at before statement offset timestamp match_recognize measures pattern define asof match_condition minus exclude ' +
    'rename replace grouping sets rollup cube table fetch next only describe tables schemas columns',
  types:
    'array bigint binary boolean char date decimal double float geography geometry integer number numeric object real smallint string ' +
    'text time timestamp timestamp_ltz timestamp_ntz timestamp_tz tinyint varchar variant vector',
  builtin:
    'abs any_value approx_count_distinct approx_percentile array_agg array_contains array_construct array_size array_to_string avg ' +
    'booland_agg boolor_agg ceil charindex coalesce concat concat_ws contains convert_timezone corr count count_if current_date ' +
    'current_timestamp date_from_parts date_part date_trunc dateadd datediff day dayname dayofweek decode dense_rank div0 div0null ' +
    'endswith equal_null first_value flatten floor generator get get_path greatest greatest_ignore_nulls hash hour iff ifnull ilike ' +
    'initcap lag last_day last_value lead least left length listagg ln log lower lpad ltrim max max_by md5 median min min_by minute ' +
    'mod mode month monthname nth_value ntile nullif nullifzero nvl nvl2 object_agg object_construct object_keys parse_json ' +
    'percent_rank percentile_cont percentile_disc position power quarter random rank ratio_to_report regexp_count regexp_like ' +
    'regexp_replace regexp_substr replace reverse right round row_number rpad rtrim second sha2 sign split split_part sqrt startswith ' +
    'stddev strtok substr substring sum sysdate time_slice timeadd timediff timestampadd timestampdiff to_array to_char to_date ' +
    'to_decimal to_double to_json to_number to_object to_timestamp to_varchar to_variant trim trunc try_cast try_parse_json try_to_date ' +
    'try_to_number try_to_timestamp typeof upper uuid_string var_pop var_samp variance week width_bucket year zeroifnull',
  operatorChars: '+-*/%<>=!|:',
  identifierQuotes: '"',
  caseInsensitiveIdentifiers: true,
  backslashEscapes: true,
  doubleDollarQuotedStrings: true,
  reserved:
    'account alter between by column connect connection constraint create cross current current_date current_time current_timestamp ' +
    'current_user database delete distinct drop exists following full gscluster grant having ilike increment inner insert intersect ' +
    'into issue is join lateral left like localtime localtimestamp minus natural organization qualify regexp revoke right rlike row ' +
    'rows sample schema set start table tablesample trigger try_cast union unique update using values view whenever',
  formatter: 'snowflake',
}
