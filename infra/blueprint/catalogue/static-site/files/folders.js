// Serves index.html for a folder: the bucket behind CloudFront knows files only.
function handler(event) {
  const request = event.request;
  const last = request.uri.split('/').pop();
  if (last === '') {
    request.uri += 'index.html';
  } else if (!last.includes('.')) {
    request.uri += '/index.html';
  }
  return request;
}
