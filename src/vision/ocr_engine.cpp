#include "vision/ocr_engine.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <tesseract/capi.h>

#include <algorithm>
#include <map>
#include <mutex>
#include <string_view>

namespace handrail::vision {
namespace {

Error missing(std::string message, std::string_view packages) {
  return make_error(Code::capability_unsupported, std::move(message))
      .with_hint(fmt::format("Install it, for example: sudo apt-get install {}", packages));
}

template <class Function>
bool find(void* library, const char* name, Function*& function) {
  function = reinterpret_cast<Function*>(dlsym(library, name));
  return function != nullptr;
}

// "eng+deu" -> "tesseract-ocr-eng tesseract-ocr-deu", with the names that Debian allows.
std::string packages_of(std::string_view languages) {
  std::string packages = "tesseract-ocr-";
  for (const char c : languages)
    packages += c == '+' ? std::string(" tesseract-ocr-") : std::string(1, c == '_' ? '-' : c);
  return packages;
}

}  // namespace

struct OcrEngine::Library {
  decltype(::TessBaseAPICreate)* create = nullptr;
  decltype(::TessBaseAPIDelete)* destroy = nullptr;
  decltype(::TessBaseAPIInit2)* init = nullptr;
  decltype(::TessBaseAPISetVariable)* set_variable = nullptr;
  decltype(::TessBaseAPISetPageSegMode)* set_mode = nullptr;
  decltype(::TessBaseAPISetImage)* set_image = nullptr;
  decltype(::TessBaseAPISetSourceResolution)* set_resolution = nullptr;
  decltype(::TessBaseAPIRecognize)* recognize = nullptr;
  decltype(::TessBaseAPIGetIterator)* iterator = nullptr;
  decltype(::TessBaseAPIClear)* clear = nullptr;
  decltype(::TessResultIteratorGetPageIteratorConst)* place = nullptr;
  decltype(::TessResultIteratorNext)* next = nullptr;
  decltype(::TessResultIteratorGetUTF8Text)* text = nullptr;
  decltype(::TessResultIteratorConfidence)* confidence = nullptr;
  decltype(::TessResultIteratorDelete)* delete_iterator = nullptr;
  decltype(::TessPageIteratorBoundingBox)* box = nullptr;
  decltype(::TessDeleteText)* delete_text = nullptr;
  void (*set_parallel_levels)(int) = nullptr;  // of OpenMP; absent when Tesseract was built without

  // Loaded once and never unloaded: its own threads and static objects would not survive it.
  static Result<const Library*> load(const char* name);
  bool find_all(void* handle);
};

bool OcrEngine::Library::find_all(void* handle) {
  find(handle, "omp_set_max_active_levels", set_parallel_levels);
  return find(handle, "TessBaseAPICreate", create) && find(handle, "TessBaseAPIDelete", destroy) &&
         find(handle, "TessBaseAPIInit2", init) && find(handle, "TessBaseAPISetVariable", set_variable) &&
         find(handle, "TessBaseAPISetPageSegMode", set_mode) && find(handle, "TessBaseAPISetImage", set_image) &&
         find(handle, "TessBaseAPISetSourceResolution", set_resolution) &&
         find(handle, "TessBaseAPIRecognize", recognize) && find(handle, "TessBaseAPIGetIterator", iterator) &&
         find(handle, "TessBaseAPIClear", clear) && find(handle, "TessResultIteratorGetPageIteratorConst", place) &&
         find(handle, "TessResultIteratorNext", next) && find(handle, "TessResultIteratorGetUTF8Text", text) &&
         find(handle, "TessResultIteratorConfidence", confidence) &&
         find(handle, "TessResultIteratorDelete", delete_iterator) &&
         find(handle, "TessPageIteratorBoundingBox", box) && find(handle, "TessDeleteText", delete_text);
}

Result<const OcrEngine::Library*> OcrEngine::Library::load(const char* name) {
  static std::mutex mutex;
  static std::map<std::string, std::unique_ptr<const Library>> all;
  const std::lock_guard lock(mutex);
  std::unique_ptr<const Library>& loaded = all[name];
  if (loaded != nullptr) return loaded.get();
  // A failure is not kept: the library may be installed while the program runs.
  void* handle = dlopen(name, RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) {
    return missing(fmt::format("Text cannot be read from pictures: {} is not installed.", name),
                   "libtesseract5 tesseract-ocr-eng");
  }
  auto library = std::make_unique<Library>();
  if (!library->find_all(handle)) {
    dlclose(handle);
    return missing(fmt::format("Text cannot be read from pictures: {} lacks a function.", name),
                   "--reinstall libtesseract5");
  }
  // One setting for all engines, so it must not be made while another one works.
  TessBaseAPI* api = library->create();
  library->set_variable(api, "debug_file", "/dev/null");
  library->destroy(api);
  loaded = std::move(library);
  return loaded.get();
}

OcrEngine::OcrEngine(const Library& library) : library_(library), api_(library.create()) {}

OcrEngine::~OcrEngine() { library_.destroy(static_cast<TessBaseAPI*>(api_)); }

Result<std::unique_ptr<OcrEngine>> OcrEngine::load(const std::string& languages, const char* name) {
  const Library* library = TRY(Library::load(name));
  std::unique_ptr<OcrEngine> engine(new OcrEngine(*library));
  auto* api = static_cast<TessBaseAPI*>(engine->api_);
  if (library->init(api, nullptr, languages.c_str(), tesseract::OEM_LSTM_ONLY) != 0) {
    return missing(fmt::format("Text cannot be read from pictures: the data of Tesseract for \"{}\" are not installed.",
                               languages),
                   packages_of(languages));
  }
  // Light text on dark is turned before, so a second reading of what was not understood is of no use.
  library->set_variable(api, "tessedit_do_invert", "0");
  return engine;
}

std::vector<LineWord> OcrEngine::read(const Grey& picture, Layout layout) {
  auto* api = static_cast<TessBaseAPI*>(api_);
  // Its threads cost more than they bring; the setting belongs to the calling thread.
  if (library_.set_parallel_levels != nullptr) library_.set_parallel_levels(0);
  std::vector<LineWord> words;
  library_.set_mode(api, layout == Layout::given ? tesseract::PSM_RAW_LINE : tesseract::PSM_SINGLE_LINE);
  library_.set_image(api, picture.pixels.data(), picture.width, picture.height, 1, picture.width);
  library_.set_resolution(api, 300);
  if (library_.recognize(api, nullptr) == 0) {
    if (TessResultIterator* at = library_.iterator(api); at != nullptr) {
      do {
        LineWord word;
        int top = 0, bottom = 0;
        char* text = library_.text(at, tesseract::RIL_WORD);
        if (text == nullptr) continue;
        word.text = text;
        library_.delete_text(text);
        if (word.text.empty() || word.text == " ") continue;
        library_.box(library_.place(at), tesseract::RIL_WORD, &word.left, &top, &word.right, &bottom);
        word.confidence = std::clamp(static_cast<double>(library_.confidence(at, tesseract::RIL_WORD)) / 100, 0.0, 1.0);
        words.push_back(std::move(word));
      } while (library_.next(at, tesseract::RIL_WORD) != 0);
      library_.delete_iterator(at);
    }
  }
  library_.clear(api);
  return words;
}

}  // namespace handrail::vision
