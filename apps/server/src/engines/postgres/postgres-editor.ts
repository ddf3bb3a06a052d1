import { commonKeywords, type EditorDialect } from '../editor-dialect.ts'

export const postgresEditor: EditorDialect = {
  keywords:
    `${commonKeywords} lateral ilike similar to nulls first last groups filter within at time zone tablesample grouping sets rollup ` +
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
  formatter: 'postgresql',
}
