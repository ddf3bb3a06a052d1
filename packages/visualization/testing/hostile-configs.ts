/** Texts that must never be accepted as a chart: on write, on render, and in the image. */
const inLine = (prop: string) => `<LineChart><Line ${prop} /></LineChart>`
export const hostileConfigs: string[] = [
  // Not one element.
  '', ' ', 'x', '1', '"a"', '<LineChart', '<LineChart></BarChart>', '<LineChart /><LineChart />', '<></>', '<><LineChart /></>',
  '<LineChart />; alert(1)', 'alert(1), <LineChart />', '(<LineChart />)', '<LineChart /> // x', '/* x */ <LineChart />',
  '<LineChart />;', 'import "x"', '() => <LineChart />', 'true && <LineChart />', '<LineChart />.type', '<LineChart /> as any',
  // Elements.
  '<script>alert(1)</script>', '<div />', '<lineChart />', '<XAxis />', '<Recharts.LineChart />', '<svg:LineChart />', '<this.LineChart />',
  '<LineChart><script /></LineChart>', '<LineChart><foreignObject /></LineChart>', '<LineChart><LineChart /></LineChart>',
  '<LineChart><Customized /></LineChart>', '<LineChart><ResponsiveContainer /></LineChart>', '<LineChart><constructor /></LineChart>',
  '<LineChart><__proto__ /></LineChart>', '<LineChart><Line<string> /></LineChart>',
  // Children.
  '<LineChart>text</LineChart>', '<LineChart>{1}</LineChart>', '<LineChart>{alert(1)}</LineChart>', '<LineChart>{...x}</LineChart>',
  '<LineChart>{/* x */}</LineChart>', '<LineChart><></></LineChart>', '<LineChart>{<Line />}</LineChart>', '<LineChart>&nbsp;x</LineChart>',
  // Values that are not literal.
  ...[
    'dataKey={alert(1)}', 'dataKey={x}', 'dataKey={window.name}', 'dataKey={() => 1}', 'dataKey={function () {}}', 'dataKey={class {}}',
    'dataKey={`a`}', 'dataKey={`${alert(1)}`}', 'dataKey={x`a`}', 'dataKey={"a" + "b"}', 'dataKey={1 + 1}', 'dataKey={!0}', 'dataKey={+1}',
    'dataKey={-"1"}', 'dataKey={- -1}', 'dataKey={-x}', 'dataKey={void 0}', 'dataKey={undefined}', 'dataKey={NaN}', 'dataKey={typeof 1}',
    'dataKey={a ? 1 : 2}', 'dataKey={(1, 2)}', 'dataKey={a = 1}', 'dataKey={new Date}', 'dataKey={import("x")}', 'dataKey={/a/}', 'dataKey={1n}',
    'dataKey={1e999}', 'dataKey={-1e999}', 'dataKey={this}', 'dataKey={"a".constructor}', 'dataKey={[]["constructor"]}', 'dataKey={await x}',
    'dataKey={[...x]}', 'dataKey={[1, , 2]}', 'dataKey={}', 'dataKey=<Line />', 'dataKey={<Line />}', 'dataKey={import.meta}',
    'dot={{ ...x }}', 'dot={{ r }}', 'dot={{ r() {} }}', 'dot={{ get r() { return 1 } }}', 'dot={{ set r(x) {} }}', 'dot={{ ["r"]: 1 }}',
    'dot={{ r: alert }}', 'dot={{ r: 1, r: 2 }}', 'dot={{ 1: 2 }}', 'dot={{ async r() {} }}', 'dot={{ *r() {} }}',
    // Keys and props.
    'dot={{ __proto__: { r: 1 } }}', 'dot={{ "__proto__": null }}', 'dot={{ constructor: 1 }}', 'dot={{ prototype: 1 }}', 'dot={{ onClick: 1 }}',
    'dot={{ href: "x" }}', 'dot={{ dangerouslySetInnerHTML: 1 }}', '{...x}', '{...{ dataKey: "a" }}', 'onClick="alert(1)"', 'onclick="alert(1)"',
    'onMouseEnter={1}', 'href="https://x"', 'xlinkHref="#a"', 'xlink:href="#a"', 'src="x"', 'dangerouslySetInnerHTML={{ __html: "x" }}',
    'children="x"', 'ref="x"', 'key="x"', 'id="x"', 'className="fixed"', 'content="x"', 'shape="x"', 'tickFormatter="x"', 'component="a"', 'data={[1]}',
    'filter="x"', 'clipPath="x"', 'data-x="1"', 'constructor="x"', '__proto__="x"', 'dataKey="a" dataKey="b"', 'as="a"', 'is="x"',
    // Styles.
    'style="color: red"', 'style={{ position: "fixed" }}', 'style={{ zIndex: 9 }}', 'style={{ backgroundImage: "x" }}', 'style={["color"]}',
    'label={{ style: { position: "fixed" } }}', 'wrapperStyle={{ top: 0 }}', 'style={{ color: { position: "fixed" } }}',
    // Text that browsers act on.
    'fill="url(#a)"', 'fill="URL (https://x)"', 'fill="u\\72l(https://x)"', 'fill={"u\\\\72 l(x)"}', 'fill="ur/**/l(x)"', 'fill="&#117;rl(x)"',
    'fill="java\tscript:alert(1)"', 'fill="JavaScript:alert(1)"', 'fill="&#106;avascript:alert(1)"', 'name={"java\\u0000script:alert(1)"}',
    'style={{ background: "url(//x)" }}', 'fill="data:image/svg+xml,x"', 'fill="image-set(x)"', 'fill="expression(x)"', 'stroke="vbscript:x"',
    // Paths into a row.
    'dataKey="__proto__"', 'dataKey="constructor.constructor"', 'dataKey="a.__proto__.b"', 'dataKey="a[constructor]"', 'dataKey={"a[\'prototype\']"}',
    'nameKey="constructor"',
    // Words that a library looks up in its own objects.
    'type="constructor"', 'stackId="__proto__"', 'xAxisId="constructor"', 'dot={{ type: "toString" }}', 'legendType="valueOf"',
  ].map(inLine),
  // Too much.
  inLine(`name="${'x'.repeat(20_000)}"`), `<LineChart>${'<Line />'.repeat(200)}</LineChart>`,
  `<LineChart>${'<Bar>'.repeat(8)}${'</Bar>'.repeat(8)}</LineChart>`, inLine(`ticks={${'['.repeat(7)}${']'.repeat(7)}}`),
  inLine(`ticks={${'['.repeat(9_000)}${']'.repeat(9_000)}}`), inLine(`ticks={${'!'.repeat(19_000)}1}`), '<LineChart>'.repeat(1_800), '('.repeat(20_000),
]
