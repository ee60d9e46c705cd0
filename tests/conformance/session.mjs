// What each public client does with Handrail. The outcome is printed as JSON; the test judges it and the desktop.
export function server() {
  const [command, ...args] = process.argv.slice(2);
  return { command, args, env: { ...process.env } };
}

export async function play(client, protocol) {
  const { tools } = await client.listTools();
  const call = (name, args = {}) => client.callTool({ name, arguments: args });
  const shot = await call('screenshot');
  const picture = shot.content.find(part => part.type === 'image');
  const move = await call('mouse_move', { coordinate: [321, 123] });
  const where = await call('cursor_position');
  const typed = await call('type', { text: 'Grüße 東京 🎉' });
  const wrong = await call('left_click', { coordinate: [1] });
  let unknown = null;
  try {
    await call('no_such_tool');
  } catch (error) {
    unknown = error.code;
  }
  const opening = { protocol: protocol(), server: client.getServerVersion()?.name };
  await client.close();
  console.log(JSON.stringify({
    ...opening,
    tools: tools.map(tool => tool.name),
    picture: {
      type: picture.mimeType,
      bytes: Buffer.from(picture.data, 'base64').length,
      told: shot.structuredContent.bytes,
    },
    move: move.structuredContent,
    where: where.structuredContent,
    typed: typed.isError ?? false,
    wrong: wrong.isError,
    unknown,
  }));
}
