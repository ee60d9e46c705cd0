// What a client does when it is asked for consent. HANDRAIL_ANSWER is its person: an action, or a choice that is accepted.
export const capabilities = { elicitation: {} };

export function person(seen) {
  const answer = process.env.HANDRAIL_ANSWER;
  return async request => {
    seen.push(request.params);
    if (answer === 'decline' || answer === 'cancel') return { action: answer };
    return { action: 'accept', content: { choice: answer } };
  };
}

export async function play(client, seen) {
  const call = (name, args = {}) => client.callTool({ name, arguments: args });
  const [x, y] = process.env.HANDRAIL_POINT.split(',').map(Number);
  const wanted = { apps: [{ app: process.env.HANDRAIL_APP, tier: 'full' }], reason: 'a test' };
  const asked = await call('request_access', wanted);
  const list = await call('list_granted_applications');
  await call('screenshot');
  const click = await call('left_click', { coordinate: [x, y] });
  await client.close();
  console.log(JSON.stringify({
    questions: seen,
    asked: asked.structuredContent,
    granted: list.structuredContent.granted,
    click: click.structuredContent,
    refused: click.isError ?? false,
  }));
}
